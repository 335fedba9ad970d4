"""Random functions and registrations, on random classes."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from tests.schemas.signatures.asking import Case

NAMES = ("a", "some_name", "aB", "x1", "json", "copy", "title", "type", "kind", "ctx", "URL", "description", "schema")
COMMON = (
    *("str", "int", "float", "bool", "str | None", "Optional[int]", "list[str]", "List[str]", "dict[str, Any]", "Dict"),
    *("dict", "list", "Any", "Literal['a', 'b']", "Annotated[str, 'text']"),
    *("Annotated[int, Field(description='D', ge=1)]", "Annotated[str | None, Field(description='D', title='The T')]"),
    *("Optional[List[Dict[str, Any]]]", "None", "bytes", "int | str", "Union[str, dict]", "tuple[int, ...]"),
    *("Sequence[str]", "bytes"),
)
CONTEXTS = ("Context", "Context | None", "Optional[Context]", "'Context'", "Annotated[Context, 'it']")
RESULTS = ("TextContent", "list[TextContent | ImageContent]", "Image", "list[Any]", "tuple[Any, ...]", "Context")
DEFAULTS = (
    *("None", "1", "'x'", "True", "[]", "{}", "()", "{'title': 'q', 'type': 'r'}"),
    *("Field(default='q', description='F')", "Field(description='F')"),
    *("Field(default=None, title='T', description='F', le=3)", "Field(default_factory=list)"),
    *("Field(..., description='F')", "Field('a', examples=['b'])", "date(2026, 1, 2)"),
    "Field(alias='other', default=2)",
)
OPTIONS = (
    *("name='other-name_2'", "title='A title'", "description='Given.'", "description=''"),
    "annotations=ToolAnnotations(title='Hint', readOnlyHint=True, openWorldHint=False)",
    *("annotations={'destructiveHint': True}", "meta={'a': {'b': [1, None]}}", "structured_output=False"),
    *("structured_output=True", "tags={'z', 'a'}", "output_schema=None"),
    "output_schema={'type': 'object', 'title': 'T', 'properties': {'title': {'type': 'string', 'title': 'U'}}}",
    *("exclude_args=['a']", "icons=[Icon(src='https://example.com/i.png', sizes=['48x48'])]", "version='1.2'"),
)
DOC_LINES = (
    *("Sum it up.", "", "", "Args:", "    a: the first", "        goes on"),
    *("    some_name (int, optional): second: part", "    ctx: never shown", "Returns:", "    what comes", "Note:"),
    *("    heed this", "Parameters", "----------", "a : int", ":param a: the a", ":returns: it", "More text: here"),
    *("  indented", "Raises:", "    ValueError: if", "```", "    title: a title", "\tb: with a tab", "x" * 30),
    *("Example:", "    >>> f(1)"),
)


SOURCE = """
class Plain(BaseModel):
    'A model.'
    a: int
    b: Optional[str] = Field(None, description='B')
class Color(str, Enum):
    'A colour.'
    RED = 'red'
    BLUE = 'blue'
class Nested(BaseModel):
    p: Plain = Field(description='P')
    ps: list[Plain] = []
    c: Color = Color.RED
class Tree(BaseModel):
    kids: List['Tree'] = []
    up: Optional['Tree'] = None
class Number(IntEnum):
    ONE = 1
    TWO = 2
class Closed(BaseModel):
    model_config = ConfigDict(extra='forbid', title='Shut')
    title: str
    type: int = 1
class Aliased(BaseModel):
    some_name: int = Field(alias='someName')
    x: str = Field('', serialization_alias='ex')
class Row(TypedDict, total=False):
    'A row.'
    a: Required[int]
    b: Annotated[str, Field(description='B')]
@dataclass
class Data:
    'Some data.'
    a: int
    b: list[Color] = dataclasses.field(default_factory=list)
class Cat(BaseModel):
    kind: Literal['cat'] = 'cat'
    lives: int = 9
class Dog(BaseModel):
    kind: Literal['dog']
    cat: Cat | None = None
Pet = Annotated[Union[Cat, Dog], Field(discriminator='kind')]
class Ids(RootModel[list[int]]): pass
class Bare: pass
class Noted:
    a: int
    b: str = 'x'
class Page(BaseModel):
    items: list[int]
    more: bool = False
"""
NAMED = re.compile(r"class (\w+)|^(\w+) = Annotated", re.MULTILINE)


def _name(block: str) -> str:
    match = NAMED.search(block)
    assert match is not None
    return match[1] or match[2]


BLOCKS = re.split(r"(?<!@dataclass)\n(?=class |@|Pet )", SOURCE.strip())
CLASSES = {_name(block): block for block in BLOCKS}
"""In an order in which each needs only earlier ones."""

NEEDS = {"Nested": ("Plain", "Color"), "Data": ("Color",), "Dog": ("Cat",), "Pet": ("Cat", "Dog")}
SCALARS = ("datetime.datetime", "uuid.UUID", "Path", "PositiveInt", "constr(max_length=3)", "HttpUrl", "timedelta")
TEMPLATES = (
    *("list[{}]", "List[{}]", "Optional[{}]", "{} | None", "dict[str, {}]", "Dict[str, {}]", "set[{}]"),
    *("tuple[{}, str]", "Annotated[{}, 'text']", "Annotated[{}, Field(description='D')]"),
    *("Annotated[{}, Field(title='T'), 'x']", "tuple[{}, str]", "Union[{}, str]", "Sequence[{}]"),
    "Annotated[Optional[{}], Field(examples=[1])]",
)


@st.composite
def functions(draw: st.DrawFn) -> Case:
    """A module with classes and a function ``f``, and the options of its registration."""
    chosen = set(draw(st.lists(st.sampled_from(sorted(CLASSES)), max_size=3)))
    chosen |= {other for name in chosen for other in NEEDS.get(name, ())}
    needed = [name for name in CLASSES if name in chosen]
    form = draw(st.sampled_from(("def", "async def")))
    lines = [*(CLASSES[name] for name in needed), f"{form} f({draw(_parameters(needed))}){draw(_results(needed))}:"]
    options = draw(st.lists(st.sampled_from(OPTIONS), max_size=2, unique_by=lambda text: text.split("=")[0]))
    given = ", ".join(options) if draw(st.booleans()) else ""
    return Case("\n".join([*lines, f"    {draw(_docs())!r}"]), f"dict({given})", future=draw(st.booleans()))


def _types(names: list[str]) -> st.SearchStrategy[str]:
    common = st.sampled_from([*COMMON, "None", *names, *names])
    plain = st.sampled_from([*COMMON, *SCALARS, *names, *names, *names])
    inner = st.tuples(st.sampled_from(TEMPLATES), plain).map(lambda pair: pair[0].format(pair[1]))
    outer = st.tuples(st.sampled_from(TEMPLATES), inner).map(lambda pair: pair[0].format(pair[1]))
    return st.one_of(common, common, inner, outer)


@st.composite
def _parameters(draw: st.DrawFn, names: list[str]) -> str:
    required: list[str] = []
    given: list[str] = []
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True)):
        context = name == "ctx" and draw(st.integers(0, 3)) > 0
        annotation = draw(st.sampled_from(CONTEXTS)) if context else draw(_types(names))
        text = name if draw(st.integers(0, 15)) == 0 else f"{name}: {annotation}"
        if draw(st.booleans()):
            given.append(f"{text} = {'None' if context else draw(st.sampled_from(DEFAULTS))}")
        else:
            required.append(text)
    star = draw(st.sampled_from(("", "", "", "", "*", "/")))
    if star == "*" and given:
        return ", ".join([*required, "*", *given])
    if star == "/" and required:
        return ", ".join([*required, "/", *given])
    return ", ".join([*required, *given])


@st.composite
def _results(draw: st.DrawFn, names: list[str]) -> str:
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return ""
    return f" -> {draw(st.sampled_from(RESULTS)) if kind == 1 else draw(_types(names))}"


@st.composite
def _docs(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.sampled_from(DOC_LINES), max_size=8))
    indent = draw(st.sampled_from(("", "", "    ")))
    return "\n".join([draw(st.sampled_from(("Sum.", "", "Sum.\n"))), *(f"{indent}{line}" for line in lines)])
