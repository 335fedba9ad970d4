"""Models with something about them that is easily overlooked: what is claimed of one is what the program has."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

MODELS = {
    "typed extra": """
        class M(BaseModel):
            model_config = ConfigDict(extra="allow")
            __pydantic_extra__: dict[str, int]
            a: int
    """,
    "typed extra init": """
        class M(BaseModel):
            model_config = ConfigDict(extra="allow")
            __pydantic_extra__: "dict[str, int]" = Field(init=False)
            a: int
    """,
    "enum value annotated": """
        class E(str, Enum):
            _value_: str
            A = "a"
            B = "b"
        class M(BaseModel):
            e: E
    """,
    "enum member doc": '''
        class E(Enum):
            A = 1
            """doc of A"""
            B = 2
        class M(BaseModel):
            e: E
    ''',
    "enum nonmember": """
        class E(Enum):
            A = 1
            B = enum.nonmember(2)
            C = enum.member(3)
        class M(BaseModel):
            e: E
    """,
    "enum private": """
        class E(Enum):
            A = 1
            _hidden = 2
            __secret = 3
        class M(BaseModel):
            e: E
    """,
    "enum ignore": """
        class E(Enum):
            _ignore_ = ["tmp"]
            tmp = 3
            A = 1
        class M(BaseModel):
            e: E
    """,
    "enum lambda": """
        class E(Enum):
            A = lambda x: x
            B = 2
        class M(BaseModel):
            e: E
    """,
    "enum partial": """
        class E(Enum):
            A = functools.partial(int)
            B = 2
        class M(BaseModel):
            e: E
    """,
    "flag": """
        class E(enum.IntFlag):
            A = 1
            B = 2
        class M(BaseModel):
            e: E = E.A | E.B
    """,
    "strenum auto": """
        class E(enum.StrEnum):
            FIRST_ONE = auto()
            B = auto()
        class M(BaseModel):
            e: E = E.FIRST_ONE
    """,
    "enum inherits": """
        class Base(str, Enum):
            def label(self): return self.value
        class E(Base):
            A = "a"
        class M(BaseModel):
            e: E
    """,
    "enum default value": """
        class E(str, Enum):
            A = "a"
        class M(BaseModel):
            e: str = E.A
            f: E = E.A.value
            g: list[E] = [E.A]
            h: dict[str, Any] = {"k": E.A}
            i: Any = E.A
    """,
    "int enum key default": """
        class E(IntEnum):
            A = 1
        class M(BaseModel):
            h: dict[int, str] = {E.A: "x"}
    """,
    "field reuse": """
        F = Field(3, description="shared")
        class M(BaseModel):
            a: int = F
            b: int = F
    """,
    "field from variable annotation": """
        Desc = Annotated[str, Field(description="d")]
        class M(BaseModel):
            a: Desc
            b: Optional[Desc] = Field(None, title="B")
            c: list[Desc] = []
    """,
    "annotation conditional expr": """
        DEBUG = False
        class M(BaseModel):
            a: int if DEBUG else str
    """,
    "subscripted at runtime": """
        KINDS = ("a", "b")
        class M(BaseModel):
            a: Literal[KINDS]
            b: Literal[tuple(KINDS)]
    """,
    "union built": """
        PARTS = (int, str)
        class M(BaseModel):
            a: Union[PARTS]
    """,
    "class in function": """
        def make():
            class Inner(BaseModel):
                a: int
            class Outer(BaseModel):
                i: Inner
                again: "Optional[Inner]" = None
            return Outer
        M = make()
    """,
    "self forward in function": """
        def make():
            class Node(BaseModel):
                next: Optional["Node"] = None
            return Node
        M = make()
    """,
    "type alias of class": """
        class Inner(BaseModel):
            a: int
        Alias = Inner
        class M(BaseModel):
            a: Alias
            b: "Alias"
    """,
    "copy of field info": """
        class Base(BaseModel):
            a: int = Field(1, description="d")
        class M(Base):
            a: int = 2
    """,
    "inherit drop default": """
        class Base(BaseModel):
            a: int = Field(1, description="d")
        class M(Base):
            a: int
    """,
    "mixin with annotation": """
        class Mixin:
            m: int = 3
            n: str
        class M(Mixin, BaseModel):
            a: int
    """,
    "mixin second": """
        class Mixin:
            m: int = 3
        class M(BaseModel, Mixin):
            a: int
    """,
    "abstract": """
        import abc
        class Base(BaseModel, abc.ABC):
            a: int
            @abc.abstractmethod
            def go(self): ...
        class M(Base):
            def go(self): return 1
    """,
    "protocol": """
        class P(typing.Protocol):
            a: int
        class M(BaseModel):
            a: int
    """,
    "docstring with format": '''
        NAME = "x"
        class M(BaseModel):
            f"""Not a docstring {NAME}."""
            a: int
    ''',
    "docstring concat": """
        class M(BaseModel):
            "One" " two."
            a: int
    """,
    "inherited doc": '''
        class Base(BaseModel):
            """Base doc."""
        class M(Base):
            a: int
    ''',
    "del in body": """
        class M(BaseModel):
            a: int
            tmp: ClassVar[int] = 3
            del tmp
    """,
    "for in body": """
        class M(BaseModel):
            a: int
            for _i in range(2):
                pass
    """,
    "walrus default": """
        class M(BaseModel):
            a: int = (B := 4)
            b: int = B
    """,
    "ordered config merging": """
        class Base(BaseModel):
            model_config = ConfigDict(json_schema_extra={"x": 1}, title="Base")
        class M(Base):
            model_config = ConfigDict(json_schema_extra={"y": 2})
            a: int
    """,
    "two config parents": """
        class A(BaseModel):
            model_config = ConfigDict(extra="forbid")
        class B(BaseModel):
            model_config = ConfigDict(title="B", extra="allow")
        class M(A, B):
            a: int
    """,
    "generic self method": """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
            nxt: "Optional[Page[T]]" = None
        class M(BaseModel):
            p: Page[int]
    """,
    "generic partially": """
        T = TypeVar("T"); U = TypeVar("U")
        class Pair(BaseModel, Generic[T, U]):
            a: T
            b: U
        IntPair = Pair[int, U]
        class M(BaseModel):
            p: IntPair[str]
    """,
    "generic union typevar": """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            x: Union[T, int]
            y: Optional[Union[T, str]] = None
        class M(BaseModel):
            p: Page[int]
            q: Page[str]
            r: Page[Optional[int]]
    """,
    "generic enum arg": """
        T = TypeVar("T")
        class E(Enum):
            A = 1
        class Page(BaseModel, Generic[T]):
            x: T
        class M(BaseModel):
            p: Page[E]
            q: Page[Literal["a"]]
            r: Page[Annotated[int, Gt(1)]]
            s: Page[Page[int]]
            t: Page[None]
            u: Page[Any]
    """,
    "generic model default instance": """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            x: Optional[T] = None
        class M(BaseModel):
            p: Page[int] = Page()
    """,
    "typevar same name": """
        T1 = TypeVar("T")
        T2 = TypeVar("T")
        class Pair(BaseModel, Generic[T1, T2]):
            a: T1
            b: T2
        class M(BaseModel):
            p: Pair[int, str]
    """,
    "newtype of model": """
        class Inner(BaseModel):
            a: int
        Special = NewType("Special", Inner)
        class M(BaseModel):
            a: Special
            b: Inner
    """,
    "decimal float": """
        class M(BaseModel):
            a: Decimal = Decimal(0.1)
            b: Decimal = Decimal("NaN")
    """,
    "date compare": """
        class M(BaseModel):
            a: bool = date(2026,1,1) < date(2027,1,1)
    """,
    "date in text": """
        class M(BaseModel):
            a: str = f"{date(2026,1,1)}"
            b: str = str(Decimal("1.5"))
            c: str = date(2026,1,1).isoformat()
    """,
    "truth of scalar": """
        class M(BaseModel):
            a: int = 1 if Decimal("0") else 2
            b: int = 1 if datetime.time(0) else 2
    """,
    "equal scalars": """
        class M(BaseModel):
            a: bool = date(2026,1,1) == date(2026,1,1)
            b: bool = date(2026,1,1) in [date(2026,1,1)]
            c: dict[str, int] = {str(k): v for k, v in {date(2026,1,1): 1}.items()}
    """,
    "isinstance scalars": """
        class M(BaseModel):
            a: bool = isinstance(date(2026,1,1), date)
            b: bool = isinstance(datetime.datetime(2026,1,1), date)
            c: bool = isinstance(Decimal("1"), (int, float))
    """,
    "typeddict closed": """
        class T(TypedDict, closed=True):
            a: int
        class M(BaseModel):
            t: T
    """,
    "typeddict inherits total": """
        class A(TypedDict, total=False):
            a: int
        class T(A):
            b: int
        class M(BaseModel):
            t: T
    """,
    "namedtuple defaults call": """
        P = collections.namedtuple("P", ["a", "b"], defaults=[None])
        class M(BaseModel):
            t: P = P(1)
    """,
    "namedtuple method": """
        class P(NamedTuple):
            a: int = 1
            def go(self): return 2
        class M(BaseModel):
            t: P = P()
    """,
    "create_model base tuple": """
        class A(BaseModel):
            a: int
        class B(BaseModel):
            b: int
        M = create_model("M", __base__=(A, B), c=(int, 1))
    """,
    "create_model plain type": """
        M = create_model("M", a=int, b=Annotated[int, Gt(3)])
    """,
    "create_model forward": """
        M = create_model("M", a=("Optional[Later]", None))
        class Later(BaseModel):
            x: int
        M.model_rebuild()
    """,
    "create_model same name": """
        A = create_model("Item", a=(int, 1))
        B = create_model("Item", b=(int, 1))
        class M(BaseModel):
            a: A
            b: B
    """,
    "create_model in function twice": """
        def make(n): return create_model("Item", **{n: (int, 1)})
        class M(BaseModel):
            a: make("x")
            b: make("y")
    """,
    "extra mutable state": """
        TITLES = {"a": "First"}
        def extra(schema):
            for k, v in schema["properties"].items():
                v["title"] = TITLES.get(k, k)
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
            b: int
        TITLES["b"] = "Second"
    """,
    "alias generator late state": """
        PREFIX = "x_"
        class M(BaseModel):
            model_config = ConfigDict(alias_generator=lambda n: PREFIX + n)
            a: int
        PREFIX = "y_"
    """,
    "extra static method": """
        class M(BaseModel):
            a: int
            class Config:
                @staticmethod
                def json_schema_extra(schema, model):
                    schema.pop("title")
    """,
    "config class assigned function": """
        class M(BaseModel):
            a_b: int
            class Config:
                alias_generator = to_camel
                json_encoders = {int: str}
    """,
    "title generator class": """
        class M(BaseModel):
            model_config = ConfigDict(model_title_generator=lambda cls: "X" + cls.__name__)
            a: int
    """,
    "field title generator": """
        class M(BaseModel):
            a_b: int = Field(field_title_generator=lambda n, i: n.upper())
    """,
    "nested extra inherits": """
        def extra(schema): schema["n"] = len(schema["properties"])
        class Base(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
        class M(Base):
            b: Base
    """,
    "root model generic": """
        T = TypeVar("T")
        class L(RootModel[list[T]], Generic[T]):
            pass
        class M(BaseModel):
            a: L[int]
    """,
    "computed private": """
        class M(BaseModel):
            a: int
            @computed_field(return_type=int)
            def area(self): return 1
    """,
    "model with set default str": """
        class M(BaseModel):
            a: set[str] = {"x"}
            b: frozenset[int] = frozenset({1, 2})
    """,
    "property named like field": """
        class Base(BaseModel):
            a: int
        class M(Base):
            @property
            def b(self): return 1
    """,
    "optional without default": """
        class M(BaseModel):
            a: Optional[int] = Field(default=...)
            b: Optional[int] = Field(..., description="x")
            c: int = Field()
    """,
    "deprecated union orders": """
        class M(BaseModel):
            a: Optional[List[Union[int, str]]] = None
            b: Optional[List[Union[str, int]]] = None
    """,
    "string constraint subclass": """
        class Name(str): pass
        class M(BaseModel):
            a: Name
    """,
    "subclassed constrained": """
        class Pos(int):
            pass
        class M(BaseModel):
            a: Pos = Pos(3)
    """,
    "model as default class": """
        class Inner(BaseModel):
            a: int = 1
        class M(BaseModel):
            i: type[Inner] = Inner
    """,
    "inner model default": """
        class Inner(BaseModel):
            a: int = 1
            b: Optional[str] = None
        class M(BaseModel):
            i: Inner = Inner(a="5")
            j: Inner = Inner(**{"a": 3})
            k: Inner = Field(default_factory=Inner)
            l: dict[str, Inner] = {"x": Inner()}
    """,
    "model_validate default": """
        class Inner(BaseModel):
            a: int = 1
        class M(BaseModel):
            i: Inner = Inner.model_validate({"a": "7"})
    """,
    "excluded default": """
        class Inner(BaseModel):
            a: int = Field(1, exclude=True)
            b: int = Field(2, alias="bB")
        class M(BaseModel):
            i: Inner = Inner(bB=3)
    """,
    "private attr default instance": """
        class Inner(BaseModel):
            _p: int = PrivateAttr(default=3)
            a: int = 1
        class M(BaseModel):
            i: Inner = Inner()
    """,
    "timedelta arithmetic": """
        class M(BaseModel):
            a: timedelta = timedelta(days=1) * 2
            b: timedelta = timedelta(hours=1) + timedelta(minutes=-5)
            c: timedelta = timedelta(microseconds=5)
            d: timedelta = timedelta(0)
    """,
    "uuid default text": """
        class M(BaseModel):
            a: uuid.UUID = uuid.UUID(int=5)
            b: uuid.UUID = uuid.NAMESPACE_DNS
    """,
    "alias of an instance": """
        class Inner(BaseModel):
            model_config = ConfigDict(alias_generator=to_camel)
            some_name: int = 1
        class M(BaseModel):
            i: Inner = Inner(someName=3)
            j: Inner = Inner(some_name=4)
    """,
    "instance by name": """
        class Inner(BaseModel):
            model_config = ConfigDict(populate_by_name=True)
            a: int = Field(1, alias="theA")
            b: Annotated[int, Field(alias="theB")] = 2
        class M(BaseModel):
            i: Inner = Inner(a=3, b=5)
            j: Inner = Inner(theA=4, theB=6)
    """,
    "instance by the wrong name": """
        class Inner(BaseModel):
            a: int = Field(1, alias="theA")
        class M(BaseModel):
            i: Inner = Inner(a=3)
    """,
    "instance with more": """
        class Inner(BaseModel):
            model_config = ConfigDict(extra="allow")
            a: int = 1
        class M(BaseModel):
            i: Inner = Inner(a=3, b=4)
    """,
    "dumped with aliases": """
        class Inner(BaseModel):
            a: int = Field(1, alias="theA")
        class M(BaseModel):
            i: Any = Inner(theA=3).model_dump(by_alias=True)
            j: Any = Inner(theA=3).model_dump()
    """,
    "dumped without what is excluded": """
        class Inner(BaseModel):
            a: int = Field(1, exclude=True)
            b: int = 2
        class M(BaseModel):
            i: Any = Inner().model_dump()
    """,
    "dumped with what is computed": """
        class Inner(BaseModel):
            a: int = 1
            @computed_field
            @property
            def b(self) -> int: return 2
        class M(BaseModel):
            i: Any = Inner().model_dump()
    """,
    "reading an aliased field": """
        class Inner(BaseModel):
            a: str = Field("x", validation_alias="theA")
            b: str = Field("y", validation_alias=AliasChoices("theB", "b1"))
        class M(BaseModel):
            i: str = Inner(theA="z").a
            j: str = Inner(a="z").a
            k: str = Inner(theB="z").b
    """,
}
ADAPTED = {
    "kw only": """
        @dataclass
        class M:
            a: int
            _: dataclasses.KW_ONLY
            b: int = 1
    """,
    "init var": """
        @dataclass
        class M:
            a: int
            b: dataclasses.InitVar[int] = 3
    """,
    "slots": """
        @dataclass(slots=True, frozen=True)
        class M:
            a: int
            b: list[int] = dataclasses.field(default_factory=list)
    """,
    "dataclass inherits model field order": """
        @dataclass
        class A:
            x: int = 1
            y: int = 2
        @dataclass
        class M(A):
            x: str = "a"
            z: int = 3
    """,
}

MODEL_CASES = {name: Case(dedent(source)) for name, source in MODELS.items()}
ADAPTED_CASES = {name: Case(dedent(source)) for name, source in ADAPTED.items()}
