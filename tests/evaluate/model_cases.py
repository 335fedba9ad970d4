"""Models as programs make them: those whose schema source settles, and those whose schema it does not."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

SETTLED = {
    "a generic model with a class": (
        """
        T = TypeVar("T")
        class Item(BaseModel):
            a: int
        class Page(BaseModel, Generic[T]):
            items: list[T]
            first: Optional[T] = None
        """,
        "Page[Item]",
    ),
    "a generic model with a container": (
        """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
        """,
        "Page[list[int]]",
    ),
    "a generic model without arguments": (
        """
        T = TypeVar("T", bound=BaseModel)
        U = TypeVar("U", int, str)
        class M(BaseModel, Generic[T, U]):
            a: T
            b: U
        """,
        "M",
    ),
    "type variables with defaults": (
        """
        from typing_extensions import TypeVar as Variable
        T = Variable("T", default=int)
        class Page(BaseModel, Generic[T]):
            items: list[T]
        class M(BaseModel):
            a: Page
            b: Page[str]
        """,
        "M",
    ),
    "generic models in each other": (
        """
        T = TypeVar("T")
        U = TypeVar("U")
        class Box(BaseModel, Generic[T]):
            value: T
        class Pair(BaseModel, Generic[T, U]):
            left: Box[T]
            right: Box[U]
        class Named(Pair[int, U], Generic[U]):
            name: str
        class Final_(Named[str]):
            last: Box[Box[bool]]
        """,
        "Final_",
    ),
    "a generic model through a method of its class": (
        """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
            @classmethod
            def schema_for_tool(cls): return cls.model_json_schema()
        class M(BaseModel):
            x: int
        result = Page[M].schema_for_tool()
        """,
        None,
    ),
    "a generic dataclass, typed dict and named tuple": (
        """
        T = TypeVar("T")
        @dataclass
        class Box(Generic[T]):
            value: T
        class Entry(TypedDict, Generic[T]):
            value: T
        class Pair(NamedTuple, Generic[T]):
            first: T
            second: int = 1
        class M(BaseModel):
            a: Box[int]
            b: Entry[str]
            c: Pair[bool]
        """,
        "M",
    ),
    "new types": (
        """
        UserId = NewType("UserId", int)
        Ids = NewType("Ids", list[UserId])
        class M(BaseModel):
            a: UserId = UserId(3)
            b: Optional[Ids] = None
        """,
        "M",
    ),
    "named aliases": (
        """
        Tree = TypeAliasType("Tree", "Union[int, list[Tree]]")
        T = TypeVar("T")
        Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
        Plain: typing.TypeAlias = Union[int, str]
        class M(BaseModel):
            a: Tree
            b: Pair[int]
            c: Plain = 1
        """,
        "M",
    ),
    "values of the standard library as defaults": (
        """
        class M(BaseModel):
            a: Decimal = Decimal("1.50")
            b: date = date(2026, 1, 2)
            c: datetime.datetime = datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.timezone.utc)
            d: uuid.UUID = uuid.UUID("12345678-1234-5678-1234-567812345678")
            e: timedelta = timedelta(hours=1, seconds=3)
            f: Path = Path("data")
            g: time = time(1, 2)
            h: Decimal = Field(Decimal("2"), ge=Decimal("0.5"), lt=Decimal(10))
            i: ipaddress.IPv4Address = ipaddress.IPv4Address("127.0.0.1")
            j: list[date] = [date(2026, 1, 2)]
            k: datetime.datetime = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone(timedelta(hours=2)))
        """,
        "M",
    ),
    "constraints": (
        """
        Short = Annotated[str, StringConstraints(max_length=5, pattern="^a")]
        class M(BaseModel):
            a: Annotated[int, Gt(0), Le(9)]
            b: Annotated[list[int], Len(1, 3)]
            c: Annotated[float, Interval(ge=0, lt=1)] = 0.5
            d: Short = "a"
            e: conint(gt=1) = 2
            f: constr(min_length=1)
            g: Annotated[date, Gt(date(2020, 1, 1))]
            h: Annotated[str, MinLen(2), Field(description="h")]
        """,
        "M",
    ),
    "discriminated unions": (
        """
        class Cat(BaseModel):
            kind: Literal["cat"]
        class Dog(BaseModel):
            kind: Literal["dog"]
        def which(value): return "c"
        class M(BaseModel):
            a: Annotated[Union[Cat, Dog], Field(discriminator="kind")]
            b: Annotated[Union[Annotated[Cat, Tag("c")], Annotated[Dog, Tag("d")]], Discriminator(which)]
        """,
        "M",
    ),
    "root models": (
        """
        class Names(RootModel[list[str]]):
            '''Names.'''
        class Table(RootModel):
            root: dict[str, Names] = Field(default_factory=dict, description="all")
        class M(BaseModel):
            names: Names
            table: Table
        """,
        "M",
    ),
    "a root model itself": ("class M(RootModel[dict[str, int]]): pass", "M"),
    "aliases for input and output": (
        """
        class M(BaseModel):
            a: int = Field(validation_alias="inA", serialization_alias="outA", examples=[1], deprecated=True)
            b: int = Field(1, validation_alias=AliasChoices("b1", "b2"), title="B!", exclude=True)
        """,
        "M",
    ),
    "special types": (
        """
        class M(BaseModel):
            a: Json[list[int]]
            b: SecretStr = SecretStr("x")
            c: Union[int, SkipJsonSchema[None]] = None
            d: Annotated[Any, WithJsonSchema({"type": "string"})]
            e: Optional[SecretStr] = None
        """,
        "M",
    ),
    "references forward, backward and to itself": (
        """
        class M(BaseModel):
            later: "Optional[Later]" = None
            selves: list["M"] = []
        class Later(BaseModel):
            back: Union["M", "M"]
        M.model_rebuild()
        """,
        "M",
    ),
    "a name that is also bound in another scope": (
        """
        class M(BaseModel):
            x: "Kind"
        class Other(Enum):
            Kind = "k"
        class Kind(Enum):
            A = "a"
        def unrelated():
            Kind = 3
            return Kind
        """,
        "M",
    ),
    "a function from the schema": (
        """
        class Inner(BaseModel):
            a: int = Field(description="a")
        class M(BaseModel):
            '''Docs.'''
            b: Inner
            c: list[Inner] = []
        def untitled(node):
            if isinstance(node, dict):
                return {key: untitled(item) for key, item in node.items() if key != "title" or isinstance(item, dict)}
            return [untitled(item) for item in node] if isinstance(node, list) else node
        result = untitled(M.model_json_schema())
        """,
        None,
    ),
    "references put in place": (
        """
        import copy
        class Leaf(BaseModel):
            a: int
        class Branch(BaseModel):
            leaf: Leaf
            more: Optional[Leaf] = None
        class M(BaseModel):
            branches: list[Branch]
        def inline(schema):
            schema = copy.deepcopy(schema)
            defs = schema.pop("$defs", {})
            def walk(node):
                if isinstance(node, list):
                    return [walk(item) for item in node]
                if not isinstance(node, dict):
                    return node
                if "$ref" in node:
                    name = node["$ref"].split("/")[-1]
                    return walk(defs[name])
                return {key: walk(value) for key, value in node.items()}
            return walk(schema)
        result = inline(M.model_json_schema())
        """,
        None,
    ),
    "a schema that is changed in place": (
        """
        class M(BaseModel):
            a: int
            b: Optional[str] = None
        def simple(model):
            schema = model.model_json_schema()
            schema.pop("title", None)
            for name, part in list(schema["properties"].items()):
                part.pop("title", None)
                options = [o for o in part.get("anyOf", []) if o.get("type") != "null"]
                if len(options) == 1:
                    del part["anyOf"]
                    part.update(options[0])
            schema.setdefault("additionalProperties", False)
            schema["required"] = sorted(set(schema.get("required", [])) | {"a"})
            return schema
        result = simple(M)
        """,
        None,
    ),
    "the schema as text and back": (
        """
        import json
        class M(BaseModel):
            a: int = 1
        result = json.loads(json.dumps(M.model_json_schema()))
        """,
        None,
    ),
    "the older names of the method": (
        """
        class M(BaseModel):
            a: int = Field(1, alias="theA")
        result = [M.schema(), M.schema(by_alias=False), M.model_json_schema(False)]
        """,
        None,
    ),
    "templates of references": (
        """
        class Inner(BaseModel):
            a: int
        class M(BaseModel):
            i: Inner
        result = M.model_json_schema(ref_template="#/components/{model}")
        """,
        None,
    ),
}

OLD = {
    "an old model": """
        from pydantic.v1 import BaseModel, Field, constr, validator
        class Kind(str, Enum):
            '''Kinds.'''
            A = "a"
        class Inner(BaseModel):
            '''Inner docs.'''
            a: int = Field(1, ge=0, description="a")
        class M(BaseModel):
            b: Inner
            c: Optional[List[Inner]] = None
            d: constr(max_length=3) = "x"
            e: Kind = Kind.A
            f: Dict[str, Any] = Field(default_factory=dict, title="F", example={"x": 1})
            g: Literal["p", "q"] = "p"
            h = 3
            _private: int = 4
            @validator("d")
            def check(cls, value): return value
        result = [M.schema(), M.schema(by_alias=False), M.schema(ref_template="#/x/{model}")]
    """,
    "settings of an old model": """
        from pydantic.v1 import BaseModel, Field
        class Base(BaseModel):
            a_b: int
            other: str = Field("x", alias="kept")
            class Config:
                title = "Old"
                extra = "forbid"
                alias_generator = to_camel
                json_encoders = {int: str}
                schema_extra = {"examples": [{"aB": 1}]}
        class M(Base):
            c_d: float = 1.5
        result = M.schema()
    """,
    "a reference to itself": """
        from pydantic.v1 import BaseModel
        class M(BaseModel):
            a: Optional["M"] = None
        M.update_forward_refs()
        result = M.schema()
    """,
    "a hook": """
        from pydantic.v1 import BaseModel
        class M(BaseModel):
            a: int
            @classmethod
            def __modify_schema__(cls, schema): schema.clear()
        result = M.schema()
    """,
    "an instance as a default": """
        from pydantic.v1 import BaseModel
        class Inner(BaseModel):
            a: int = 1
        class M(BaseModel):
            i: Inner = Inner(a="3")
        result = M.schema()
    """,
    "an extra from outside": """
        from pydantic.v1 import BaseModel
        from somewhere import extra
        class M(BaseModel):
            a: int
            class Config:
                schema_extra = extra
        result = M.schema()
    """,
    "an old model in a new one": """
        import pydantic.v1
        class Inner(pydantic.v1.BaseModel):
            a: int
        class M(BaseModel):
            i: Inner
        result = M.model_json_schema()
    """,
    "arguments that it does not take": """
        from pydantic.v1 import BaseModel
        class M(BaseModel):
            a: int
        result = M.schema(schema_generator=1)
    """,
    "a generic one": """
        from pydantic.v1.generics import GenericModel
        T = TypeVar("T")
        class Page(GenericModel, Generic[T]):
            a: T
        result = Page[int].schema()
    """,
}

MODULES = {
    "models in other modules": Case(
        "from shared.base import Base, Color\nclass M(Base):\n    color: Color = Color.RED\n",
        modules={
            "shared.kinds": "class Color(str, Enum):\n    RED = 'red'\n",
            "shared.base": "from shared.kinds import Color\n"
            "class Base(BaseModel):\n    model_config = ConfigDict(extra='forbid')\n    id: 'Optional[Color]' = None\n",
        },
    ),
    "a generic model of another module": Case(
        "from shared.base import Page\nclass Page_(BaseModel):\n    a: int\nclass M(Page[Page_]):\n    b: int\n",
        modules={"shared.base": "T = TypeVar('T')\nclass Page(BaseModel, Generic[T]):\n    items: list[T]\n"},
    ),
    "models of one name": Case(
        "import shared.base\nclass Item(BaseModel):\n    b: int\n"
        "class M(BaseModel):\n    mine: Item\n    theirs: shared.base.Item\n",
        modules={"shared.base": "class Item(BaseModel):\n    a: int\n"},
    ),
}

BRACKETS = {
    "a model": (
        "class Page[T](BaseModel):\n    items: list[T]\n    first: T | None = None\n",
        "T = TypeVar('T')\nclass Page(BaseModel, Generic[T]):\n    items: list[T]\n    first: Optional[T] = None\n",
        "Page[list[int]]",
    ),
    "a bound and constraints": (
        "class Both[K: str, V: (int, bool)](BaseModel):\n    k: K\n    v: V\n",
        (
            "K = TypeVar('K', bound=str)\nV = TypeVar('V', int, bool)\n"
            "class Both(BaseModel, Generic[K, V]):\n    k: K\n    v: V\n"
        ),
        "Both",
    ),
    "a default": (
        "class Page[T = int](BaseModel):\n    items: list[T]\n",
        (
            "from typing_extensions import TypeVar as V\nT = V('T', default=int)\n"
            "class Page(BaseModel, Generic[T]):\n    items: list[T]\n"
        ),
        "Page",
    ),
    "a bound that comes later": (
        "class Page[T: Later](BaseModel):\n    items: list[T]\nclass Later(BaseModel):\n    a: int\n",
        (
            "class Later(BaseModel):\n    a: int\nT = TypeVar('T', bound=Later)\n"
            "class Page(BaseModel, Generic[T]):\n    items: list[T]\n"
        ),
        "Page",
    ),
    "a base with arguments": (
        "class Page[T](BaseModel):\n    items: list[T]\nclass M[U](Page[list[U]]):\n    u: U\n",
        (
            "T = TypeVar('T')\nU = TypeVar('U')\nclass Page(BaseModel, Generic[T]):\n    items: list[T]\n"
            "class M(Page[list[U]], Generic[U]):\n    u: U\n"
        ),
        "M[str]",
    ),
    "other kinds of classes": (
        (
            "@dataclass\nclass Box[T]:\n    value: T\nclass Entry[T](TypedDict):\n    value: T\n"
            "class M(BaseModel):\n    a: Box[int]\n    b: Entry[str]\n"
        ),
        (
            "T = TypeVar('T')\n@dataclass\nclass Box(Generic[T]):\n    value: T\n"
            "class Entry(TypedDict, Generic[T]):\n    value: T\n"
            "class M(BaseModel):\n    a: Box[int]\n    b: Entry[str]\n"
        ),
        "M",
    ),
    "aliases": (
        (
            "type Tree = int | list[Tree]\ntype Pair[T] = tuple[T, T]\n"
            "class M(BaseModel):\n    a: Tree\n    b: Pair[str]\n    c: 'Later'\ntype Later = list[Pair[int]]\n"
        ),
        (
            "T = TypeVar('T')\nTree = TypeAliasType('Tree', 'Union[int, list[Tree]]')\n"
            "Pair = TypeAliasType('Pair', tuple[T, T], type_params=(T,))\n"
            "Later = TypeAliasType('Later', list[Pair[int]])\n"
            "class M(BaseModel):\n    a: Tree\n    b: Pair[str]\n    c: Later\n"
        ),
        "M",
    ),
}
"""Source for newer interpreters, and the same for every one: no interpreter is needed that knows the brackets."""

UNSETTLED = {
    "text as the argument of a generic model": """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
        class Item(BaseModel):
            a: int
        class M(BaseModel):
            a: Page["Item"]
    """,
    "a bound from outside the package": """
        from pandas import DataFrame
        T = TypeVar("T", bound=DataFrame)
        class M(BaseModel, Generic[T]):
            a: T
    """,
    "a type variable whose name is not known": """
        import os
        T = TypeVar(os.environ["NAME"])
        class M(BaseModel, Generic[T]):
            a: T
    """,
    "a parameter specification": """
        from typing import ParamSpec
        P = ParamSpec("P")
        class M(BaseModel, Generic[P]):
            a: int
    """,
    "an instance of a generic model as a default": """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
        class M(BaseModel):
            a: Page[int] = Page[int](items=["1"])
    """,
    "a bare instance of a generic model as a default": """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
        class M(BaseModel):
            a: Page[int] = Page(items=["1"])
    """,
    "an instance of a root model as a default": """
        class Names(RootModel[list[int]]): pass
        class M(BaseModel):
            a: Names = Names(["1"])
    """,
    "an instance of a created model as a default": """
        Made = create_model("Made", x=(int, 3))
        class M(BaseModel):
            a: Made = Made(x="4")
    """,
    "a new type of something unknown": """
        import os
        Thing = NewType("Thing", str if os.environ.get("X") else int)
        class M(BaseModel):
            a: Thing
    """,
    "an alias that is bound twice": """
        Tree = TypeAliasType("Tree", "list[Leaf]")
        Leaf = int
        class M(BaseModel):
            a: Tree
        Leaf = str
    """,
    "create_model": """
        M = create_model("M", a=(int, ...), b=(str, "x"))
    """,
    "a typed dict by a call": """
        T = TypedDict("T", {"a": int})
        class M(BaseModel):
            a: T
    """,
    "an extra that is a function of the program": """
        def extra(schema): schema.pop("title")
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
    """,
    "an extra of a field that is a function": """
        class M(BaseModel):
            a: int = Field(json_schema_extra=lambda part: part.update({"unit": "m"}))
    """,
    "names that a function makes": """
        class M(BaseModel):
            model_config = ConfigDict(alias_generator=lambda name: name.upper())
            a: int
    """,
    "create_model with fields that are not known": """
        import os
        M = create_model("M", **{os.environ.get("NAME", "x"): (int, 3)})
    """,
    "create_model with validators": """
        def check(cls, value): return value
        M = create_model("M", __validators__={"check": field_validator("x", mode="plain")(check)}, x=(int, 3))
    """,
    "create_model with a name that is not known": """
        import os
        M = create_model(os.environ.get("NAME", "M"), x=(int, 3))
    """,
    "create_model on a base from outside": """
        from somewhere import Base
        M = create_model("M", __base__=Base, x=(int, 3))
    """,
    "create_model with a default that changes": """
        DEFAULT = [1]
        M = create_model("M", x=(list[int], DEFAULT))
        DEFAULT.append(2)
    """,
    "create_model with a type that a condition decides": """
        import os
        kind = int if os.environ.get("X") else str
        M = create_model("M", x=(kind, ...))
    """,
    "a typed dict with fields that are not known": """
        import os
        Options = TypedDict("Options", {os.environ.get("X", "x"): int})
        class M(BaseModel):
            a: Options
    """,
    "a class that derives from a named tuple": """
        class Pair(NamedTuple):
            a: int
        class More(Pair):
            b: str
        class M(BaseModel):
            a: More
    """,
    "a named tuple with renamed fields": """
        Odd = collections.namedtuple("Odd", "a class", rename=True)
        class M(BaseModel):
            a: Odd
    """,
    "an enum with values that are not known": """
        import os
        Color = Enum("Color", os.environ.get("COLORS", "A B"))
        class M(BaseModel):
            a: Color
    """,
    "an enum of texts that are numbers": """
        Color = Enum("Color", "RED GREEN", type=str)
        class M(BaseModel):
            a: Color
    """,
    "an enum that starts elsewhere": """
        Color = Enum("Color", "RED GREEN", start=5)
        class M(BaseModel):
            a: Color
    """,
    "the date of today": """
        class M(BaseModel):
            a: date = date.today()
    """,
    "a date from something unknown": """
        import os
        class M(BaseModel):
            a: date = date(int(os.environ.get("YEAR", "2026")), 1, 1)
    """,
    "a part of a date": """
        class M(BaseModel):
            a: int = date(2026, 1, 2).year
    """,
    "a random identifier": """
        class M(BaseModel):
            a: uuid.UUID = uuid.uuid4()
    """,
    "what is computed with a decimal": """
        class M(BaseModel):
            a: Decimal = Decimal("1") + Decimal("2")
    """,
    "a path that every platform writes in its own way": """
        class M(BaseModel):
            a: Path = Path("a/b")
    """,
    "a path of the machine": """
        class M(BaseModel):
            a: Path = Path.home()
    """,
    "an extra that looks at a reference": """
        class Inner(BaseModel):
            a: int
        def extra(schema):
            schema["x"] = schema["properties"]["a"]["$ref"].upper()
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: Inner
    """,
    "an extra that asks its surroundings": """
        import os
        def extra(schema):
            schema["x"] = os.environ.get("X")
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
    """,
    "an extra that looks at the model": """
        def extra(schema, model):
            schema["x"] = len(model.model_fields)
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
    """,
    "an extra that counts": """
        seen = []
        def extra(schema):
            seen.append(1)
            schema["x"] = len(seen)
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
    """,
    "an extra that raises": """
        def extra(schema):
            schema["x"] = schema["missing"]
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
    """,
    "an extra from outside": """
        from somewhere import extra
        class M(BaseModel):
            model_config = ConfigDict(json_schema_extra=extra)
            a: int
    """,
    "an alias generator from outside": """
        from somewhere import camel
        class M(BaseModel):
            model_config = ConfigDict(alias_generator=camel)
            a: int
    """,
    "an alias generator that counts": """
        import itertools
        numbers = itertools.count()
        class M(BaseModel):
            model_config = ConfigDict(alias_generator=lambda name: f"{name}{next(numbers)}")
            a: int
    """,
    "a reference to a name that is bound twice": """
        class M(BaseModel):
            x: "Kind"
        Kind: Any = int
        M.model_rebuild()
        Kind: Any = str
    """,
    "bases that are spread": """
        BASES = (BaseModel,)
        class M(*BASES):
            x: int
    """,
    "keywords that are spread": """
        OPTIONS = {"extra": "forbid"}
        class M(BaseModel, **OPTIONS):
            x: int
    """,
    "a union in two orders": """
        class Other(BaseModel):
            a: List[Union[int, str]]
        class M(BaseModel):
            a: List[Union[str, int]]
            b: Other
    """,
    "the schema of a model by its name": """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
        class M(BaseModel):
            name: str = Page[int].__name__
    """,
    "a serializer that takes a set": """
        class M(BaseModel):
            a: set[str] = {"x", "y"}
    """,
}


HOSTILE = {
    "generic classes in each other": (
        "T = TypeVar('T')\nclass P(BaseModel, Generic[T]):\n    a: T\nX0 = P[int]\n"
        + "".join(f"X{n + 1} = P[tuple[X{n}, X{n}]]\n" for n in range(20))
        + "class M(BaseModel):\n    a: X20\n"
    ),
    "classes that all mention each other": (
        "".join(
            f"class C{n}(BaseModel):\n    a: 'Optional[C{(n + 1) % 80}]' = None\n    b: 'list[C{n * 7 % 80}]' = []\n"
            for n in range(80)
        )
        + "M = C0\n"
    ),
    "an alias of itself": "type X = X\nclass M(BaseModel):\n    a: X\n",
    "aliases in a circle": "type X = Y\ntype Y = X\nclass M(BaseModel):\n    a: X\n",
    "a new type of itself": "T = NewType('T', 'T')\nclass M(BaseModel):\n    a: T\n",
    "a bound that is the class itself": "class M[T: M[T]](BaseModel):\n    a: T\n",
    "a function that never ends": (
        "def extra(schema):\n    while True:\n        schema['x'] = 1\n"
        "class M(BaseModel):\n    model_config = ConfigDict(json_schema_extra=extra)\n    a: int\n"
    ),
    "a function that calls itself": (
        "def extra(schema):\n    extra(schema)\n"
        "class M(BaseModel):\n    model_config = ConfigDict(json_schema_extra=extra)\n    a: int\n"
    ),
    "types nested deeply": "class M(BaseModel):\n    a: " + "list[" * 150 + "int" + "]" * 150 + "\n",
    "a chain of bases": (
        "Base = BaseModel\nfor n in range(60):\n    Base = create_model(f'M{n}', __base__=Base, x=(int, n))\nM = Base\n"
    ),
}
"""Models that would take forever, or more than there is."""


def settled(name: str) -> tuple[Case, bool]:
    """A case, and whether it asks for a schema by itself."""
    source, target = SETTLED[name]
    return Case(dedent(source), target or "result"), target is None
