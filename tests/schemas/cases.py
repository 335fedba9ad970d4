"""Model modules as people write them, by what they are about."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case


def fields(body: str, **options: str) -> Case:
    """A model ``M`` with the given lines as its body."""
    lines = "".join(f"    {line}\n" for line in dedent(body).strip("\n").splitlines())
    return Case(f"class M(BaseModel):\n{lines}", **options)  # type: ignore[arg-type]


def module(source: str, target: str = "M", **options: str) -> Case:
    return Case(dedent(source), target, **options)  # type: ignore[arg-type]


DECIMALS = fields("""
    a: Decimal
    b: Decimal = Decimal("1.50")
    c: Decimal = Field(max_digits=5, decimal_places=2)
    d: condecimal(gt=0, max_digits=4)
""")
URLS = fields("""
    a: tuple[AnyUrl, HttpUrl, PostgresDsn]
    c: AnyHttpUrl = AnyHttpUrl("http://localhost:8000")
    e: HttpUrl = "https://example.org"
""")
CONSTRAINED = fields("""
    a: conint(gt=1, le=10, multiple_of=3)
    b: constr(min_length=1, max_length=5, pattern=r"^a+$", strip_whitespace=True)
    c: confloat(ge=0.5, lt=2.5)
    d: conlist(int, min_length=1, max_length=3)
    e: conset(str, min_length=2)
    f: tuple[PositiveInt, NegativeInt, StrictStr, StrictInt, StrictBool, conbytes(min_length=1)]
    g: NonNegativeFloat = 0.0
    m: condate(gt=date(2020, 1, 1))
    n: PositiveFloat = 1
""")
ANNOTATED_TYPES = fields("""
    a: Annotated[int, Gt(0), Le(9), MultipleOf(5)]
    b: Annotated[str, Len(1, 4)]
    c: list[Annotated[list[int], MinLen(1), MaxLen(2)]]
    d: Annotated[float, Interval(ge=0, lt=1)]
    f: Annotated[str, StringConstraints(pattern="^x", to_lower=True, max_length=9)]
    g: Annotated[datetime.datetime, Timezone("UTC")]
    h: Annotated[dict[str, int], MinLen(1)]
    j: Annotated[str, "plain text", 3]
    k: Annotated[Annotated[int, Ge(1)], Lt(5)] = 2
    l: Annotated[Optional[int], Gt(3)] = None
    n: Annotated[Union[int, str], Gt(3)] = 5
""")
SEQUENCES = fields("""
    a: tuple[list, tuple, Sequence, Tuple[()], tuple[int, str], tuple[int, ...]]
    b: tuple[list[int], List[str], set[int], FrozenSet[str], Sequence[int], Iterable[int], collections.deque[int]]
    c: Tuple[int, ...] = (1, 2)
    d: List = []
""")
CONTAINERS = fields("""
    a: tuple[dict, Set[Any]]
    b: tuple[dict[str, int], Dict[str, Any], Mapping[str, list[int]], MutableMapping[str, int], dict[int, str]]
    c: tuple[collections.OrderedDict[str, int], collections.defaultdict[str, list[int]]]
    d: list[dict[str, list[tuple[int, str]]]]
    e: Dict = {}
""")
UNIONS = fields("""
    a: Optional[str]
    b: Optional[int] = None
    c: Union[int, str]
    d: int | None = None
    e: Union[int, str, None] = "x"
    f: Union[list[int], dict[str, int]]
    g: Optional[Union[int, float]] = 1.5
    h: Union[int, Optional[str]]
    i: Union[str, int] = Field(1, union_mode="left_to_right")
    j: Optional[None] = None
    k: Union[int, int]
""")
REPEATED = module("""
    class Color(Enum):
        RED = 1
    class Other(BaseModel):
        a: int
    Alias = Other
    class M(BaseModel):
        a: Union["Other", "Other"]
        b: Union["Other", "Other", None] = None
        c: Optional[Optional["Other"]] = None
        d: Optional[Union["Other", "Other"]] = None
        e: Union["Other", Other]
        f: Union[Other, "Alias"]
        g: Union[list["Other"], list["Other"]]
        h: Union["list[Other]", "list[Other]"]
        i: tuple[Optional[Optional[int]], int | int, Union[None, None]]
        j: Union[int, "int"]
        l: tuple[Union[Annotated[int, "x"], Annotated[int, "x"]], Annotated[Union["Other", "Other"], "x"]]
        n: Union[Annotated[int, Gt(1)], Annotated[int, Gt(1)]]
        o: Union[Annotated[int, Field(gt=1)], Annotated[int, Field(gt=1)]]
        p: tuple[Literal["a", "a"], Literal["a", Literal["a", "b"]], Union[Literal["a"], Literal["a"]]]
        s: tuple[Literal[1, True, 1], Union[Literal[1], Literal[True]]]
        u: Union[Literal[Color.RED], Literal[Color.RED]]
        w: Union["Later", "Later"]
        x: Union[Union["Later", int], Union[int, "Later"]]
        y: Union[dict[str, "Later"], Dict[str, "Later"]]
        z: Union["Color", Color, Literal[Color.RED]]
    class Later(BaseModel):
        back: Union["Other", "Other"] = None
""")
REPEATED_IN_DATACLASS = module("""
    @dataclass
    class Leaf:
        a: int
    class Twig(TypedDict):
        a: int
    @dataclass
    class Node:
        a: Union["Leaf", "Leaf"]
        b: "Union[Leaf, Leaf]"
        c: Optional[Union["Leaf", "Leaf"]] = None
    class Entry(TypedDict):
        a: Union["Twig", "Twig"]
        b: NotRequired[Union["Twig", None, "Twig"]]
    class M(BaseModel):
        a: Union["Node", Node]
        b: Union["Entry", "Entry"]
        c: Union["Node", "Entry", Node]
""")
LITERALS = module("""
    class Color(str, Enum):
        RED = "red"
        BLUE = "blue"
    class M(BaseModel):
        a: tuple[Literal["x"], Literal[1, 2], Literal["x", 1, None], Literal[True, False], Literal[Color.RED]]
        b: Literal["x", "y"] = "x"
        g: Optional[Literal["a", "b"]] = None
        i: list[Literal["p", "q"]] = ["p"]
        j: Literal[b"x"] = b"x"
""")
FIELD_ARGUMENTS = fields(r"""
    a: int = Field(..., description="An int.")
    b: int = Field(3, gt=1, ge=2, lt=9, le=8, multiple_of=2)
    c: str = Field("x", title="The C", min_length=1, max_length=4, pattern=r"^\w+$", examples=["a", "b"])
    d: list[int] = Field(default_factory=list, min_length=1, max_length=5, description="many")
    e: int = Field(1, deprecated=True)
    f: int = Field(1, deprecated="use g")
    g: int = Field(default=7, json_schema_extra={"x-order": 1, "examples": [1, 2], "nested": {"b": [1], "a": None}})
    h: Annotated[int, Field(gt=0, description="inner")] = Field(5, description="outer")
    i: Annotated[int, Field(gt=0), Field(lt=10, description="second")] = 4
    j: Annotated[Optional[str], Field(description="maybe")] = None
    k: int = Field(description="required by omission")
    l: int = Field(None, description="none default on int")
    m: str = Field(repr=False, frozen=True, strict=True, validate_default=True)
    n: Annotated[str, Field(default="annotated default")]
    o: float = Field(0.1, allow_inf_nan=False)
    q: date = Field(date(2020, 1, 2), strict=True, exclude=True)
    r: Decimal = Field(Decimal("1.0"), ge=Decimal("0.5"))
    s: Any = Field(None, description="anything")
    t: dict[str, Any] = Field(default_factory=dict)
""")
DEFAULTS = module("""
    class Color(Enum):
        RED = 1
        BLUE = "blue"
    class Level(IntEnum):
        LOW = 1
        HIGH = 2
    @dataclass
    class Point:
        x: int = 0
        y: int = 1
    class Inner(BaseModel):
        a: int = Field(1, alias="theA")
        b: Optional[str] = None
    class M(BaseModel):
        a: str = ""
        b: int = -1
        c: float = 1e10
        d: bool = True
        e: list[int] = [1, 2]
        f: dict[str, Any] = {"b": 1, "a": [True, None]}
        g: tuple[int, str] = (1, "x")
        h: set[int] = {3}
        i: Color = Color.RED
        j: Level = Level.HIGH
        k: list[Color] = [Color.RED, Color.BLUE]
        l: datetime.datetime = datetime.datetime(2026, 1, 2, 3, 4, 5)
        m: timedelta = timedelta(hours=1)
        n: uuid.UUID = uuid.UUID("12345678-1234-5678-1234-567812345678")
        o: Path = Path("a/b")
        p: bytes = b"abc"
        s: Any = ...
        t: int = None
        u: Color = "blue"
        v: time = time(1, 2)
        w: Optional[Inner] = None
        x: dict[Color, int] = {Color.BLUE: 1}
        z: frozenset[str] = frozenset(["a"])
""")
ENUMS = module('''
    class Plain(Enum):
        """Docs of an enum.

            More.
        """
        A = "a"
        B = "b"
    class Text(str, Enum):
        A = "a"
        ALIAS = "a"
    class Ints(IntEnum):
        P = 1
    class Mixed(Enum):
        A = 1
        B = "b"
        C = None
    class Floats(float, Enum):
        A = 1.5
    class WithMethod(str, Enum):
        A = "a"
        def label(self): return self.value
        @classmethod
        def parse(cls, x): return cls(x)
    class Tuples(Enum):
        A = (1, "x")
    class M(BaseModel):
        a: tuple[Plain, Text]
        e: tuple[Ints, Mixed, Floats, WithMethod, Tuples]
        j: Optional[Plain] = None
        l: dict[Text, list[Plain]]
        o: Plain = Field(Plain.A, description="with description", title="Chosen")
        p: Annotated[Plain, Field(description="annotated")] = Plain.B
''')
USE_ENUM_VALUES = module("""
    class Plain(Enum):
        A = "a"
        B = "b"
    class M(BaseModel):
        model_config = ConfigDict(use_enum_values=True)
        a: Plain = Plain.A
        b: Plain
""")
NESTED = module('''
    class Address(BaseModel):
        """Where somebody lives."""
        street: str = Field(description="Street")
        zip_code: Optional[str] = None
    class Person(BaseModel):
        """   A person.

        Indented text
          stays so.
        """
        name: str
        address: Address
        others: list[Address] = []
        by_name: dict[str, Address] = Field(default_factory=dict)
        maybe: Optional[Address] = Field(None, description="maybe")
        described: Address = Field(description="a described one")
        titled: Address = Field(title="Titled")
    class M(Person):
        """Inherits."""
        extra: int = 1
''')
CONFIG_EXTRA = fields("""
    model_config = ConfigDict(json_schema_extra={"examples": [{"a": 1}], "x": {"z": 1, "b": 2}, "title": "X"})
    a: int
""")
CONFIG_KEYWORDS = module("""
    class M(BaseModel, extra="forbid", title="By keyword", frozen=True):
        a: int
""")
CLASS_VARIABLES = module("""
    class M(BaseModel):
        a: ClassVar[int] = 3
        b: "ClassVar[list[Any]]" = []
        _private: str = "x"
        _other: int = PrivateAttr(default=3)
        c: int = 1
        d: Final[int] = 4
        e: ClassVar = 3
""")
VALIDATED = module("""
    class M(BaseModel):
        a: int
        b: str = "x"
        c: int = 0
        @field_validator("a")
        @classmethod
        def check_a(cls, v): return v
        @validator("b", pre=True, always=True)
        def check_b(cls, v): return v
        @root_validator(pre=True)
        def check(cls, values): return values
        @field_validator("c", mode="wrap")
        @classmethod
        def check_c(cls, v, handler): return handler(v)
        @model_validator(mode="after")
        def after(self): return self
        @property
        def size(self): return 1
        def method(self) -> int: return 1
        @staticmethod
        def static(): return 1
        @functools.cached_property
        def cached(self): return 1
        def model_post_init(self, context): pass
""")
VALIDATOR_TYPES = module("""
    class M(BaseModel):
        a: int
        b: Annotated[int, BeforeValidator(lambda v: v)]
        c: Annotated[int, PlainValidator(lambda v: v)] = 1
        d: Annotated[int, PlainValidator(lambda v: v, json_schema_input_type=str)] = 1
        e: Annotated[list[int], AfterValidator(sorted)] = []
        g: Annotated[int, BeforeValidator(lambda v: v, json_schema_input_type=Union[int, str])] = 3
        h: Annotated[Any, WithJsonSchema({"type": "string", "x": 1})]
        i: SkipJsonSchema[int] = 1
        j: Union[int, SkipJsonSchema[None]] = None
        k: Annotated[int, PlainSerializer(lambda v: str(v), return_type=str)] = 4
        l: Annotated[int, WithJsonSchema({"type": "number"})] = Field(3, description="d")
        m: Annotated[str, BeforeValidator(str.strip), Field(min_length=1)]
""")
ROOT = module("""
    class M(RootModel[Dict[str, Union[int, str]]]):
        root: Dict[str, Union[int, str]] = Field(description="the root", examples=[{"a": 1}])
""")
TYPED_DICTS = module('''
    class Point(TypedDict):
        """A point."""
        x: int
        y: NotRequired[int]
    class Partial(TypedDict, total=False):
        a: Required[int]
        b: str
        c: Annotated[int, Field(gt=0, description="c")]
    class Child(Point):
        z: Optional[int]
    class Strict(TypedDict):
        a: int
    class M(BaseModel):
        a: Point
        b: Partial
        c: Child
        e: list[Point] = []
        f: Strict
''')
DATACLASSES = module('''
    @dataclass
    class Point:
        x: int
        y: float = 0.5
        names: list[str] = dataclasses.field(default_factory=list)
        hidden: int = dataclasses.field(default=1, init=False)
        z: Annotated[int, Field(description="zed")] = 3
        w: int = Field(4, gt=3)
        meta: int = dataclasses.field(default=1, metadata={"description": "from metadata"})
        k: ClassVar[int] = 3
    @dataclass(frozen=True, kw_only=True)
    class Documented:
        """Documented."""
        a: Optional[int] = None
        def __post_init__(self): pass
    @dataclass(frozen=True)
    class Derived(Documented):
        b: int = 3
    @pydantic.dataclasses.dataclass
    class Checked:
        a: int = Field(description="a")
        b: "Optional[int]" = None
    @pydantic.dataclasses.dataclass
    class Configured:
        """Doc."""
        a_b: int
    class M(BaseModel):
        a: Point
        b: Documented
        c: Checked
        d: Configured
        e: Derived
''')
DISCRIMINATED = module("""
    class Cat(BaseModel):
        kind: Literal["cat", "kitten"]
        lives: int = 9
    class Dog(BaseModel):
        kind: Literal["dog"] = "dog"
    class Lizard(BaseModel):
        kind: Literal["lizard"]
    Pet = Annotated[Union[Cat, Dog], Field(discriminator="kind")]
    class M(BaseModel):
        a: Union[Cat, Dog] = Field(discriminator="kind")
        b: Pet
        c: list[Pet] = []
        e: Annotated[Union[Pet, Lizard], Discriminator("kind")]
        f: Optional[Pet] = None
        g: Optional[Annotated[Union[Cat, Dog], Discriminator("kind")]] = Field(None, description="g")
""")
DISCRIMINATED_ENUM = module("""
    class Kind(str, Enum):
        A = "a"
        B = "b"
    class A(BaseModel):
        kind: Literal[Kind.A] = Kind.A
    class B(BaseModel):
        kind: Literal[Kind.B]
    class M(BaseModel):
        x: Annotated[Union[A, B], Field(discriminator="kind")]
""")
SAME_NAMES = Case(
    "from other.models import Item as Other\n"
    "class Item(BaseModel):\n    b: int\n"
    "class M(BaseModel):\n    x: Item\n    y: Other\n",
    modules={"other.models": "class Item(BaseModel):\n    a: int\n"},
)
DEFAULTS_SERIALIZED = Case(DEFAULTS.source, mode="serialization")
DATACLASSES_SERIALIZED = Case(DATACLASSES.source, mode="serialization")
OVERRIDDEN_VALIDATOR = module("""
    class Base(BaseModel):
        a: int
        @field_validator("a", mode="before")
        @classmethod
        def check(cls, v): return v
    class M(Base):
        def check(self): return 1
""")
REUSED_FIELD = module("""
    Name = Annotated[str, Field(description="A name", examples=["x"], min_length=1)]
    class A(BaseModel):
        name: Name
        other: Name = "x"
    class M(A):
        name: Name = Field("y", max_length=9)
        inner: A = Field(default_factory=lambda: A(name="x"))
""")
BY_NAME = fields("""
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=False, serialize_by_alias=True)
    a: str = Field("x", alias="theA")
""")


def table() -> dict[str, Case]:
    """Every case, by its name in lower case."""
    return {name.lower(): case for name, case in globals().items() if isinstance(case, Case)}
