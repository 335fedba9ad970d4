"""Functions and their registrations, as source, by what is known of them."""

from __future__ import annotations

from tests.schemas.signatures.asking import Case

OFFICIAL = ("mcp1-fastmcp", "mcp2-mcpserver")
FASTMCP = ("fastmcp2", "fastmcp3", "fastmcp4")
NEWER = ("fastmcp3", "fastmcp4")

GOOGLE = '''"""Find things.

    Searches all of them.

    Args:
        a: the first
            and more of it
        b (int, optional): the second

    Returns:
        a list
    """
    '''
M = "class M(BaseModel):\n    'A model.'\n    a: int\n    b: Optional[str] = None\n"
NODE = f"{M}class N(BaseModel):\n    m: M = Field(description='d')\n    ms: list[M] = []\n"
PETS = """
class Cat(BaseModel):
    kind: Literal['cat'] = 'cat'
class Dog(BaseModel):
    kind: Literal['dog']
"""
ALIASES = """
class M(BaseModel):
    some_name: int = Field(alias='someName')
    x: str = Field('', serialization_alias='ex')
"""
WRITTEN = """
class M(BaseModel):
    model_config = ConfigDict(serialize_by_alias=True)
    a_b: int = Field(alias='aB')
class N(BaseModel):
    m: M
    x_y: int = Field(alias='xY')
def f(m: M) -> N: ...
"""
COMPUTED = """
class C(BaseModel):
    a: int
    @computed_field
    @property
    def b(self) -> int: ...
"""
UNDERLINED = "def f(a: int):\n    '''Do.\n\n    Parameters\n    ----------\n    a : int\n        A.\n    '''\n"
FIELDS = "def f(a: int):\n    '''Do.\n\n    :param a: the a\n    :returns: it\n    '''\n"
TREE = "class T(BaseModel):\n    kids: list['T'] = []\n"
DATACLASS = "@dataclass\nclass D:\n    a: int\n    b: str = 'x'\n    _c: int = 0\n"
TYPED = (
    "class T(TypedDict):\n    'Doc.'\n    a: int\n    b: NotRequired[str]\n"
    "    c: Annotated[int, Field(description='x')]\n"
)
REFERRING = "dict(dereference_schemas=False)"
MYSTERY = "import os\nmystery = os.environ.get('MYSTERY')\n"


SETTLED = {
    # --- parameters
    "no parameters": Case("def f(): ...\n"),
    "no annotations": Case("def f(a, b=1, *, k): pass\n"),
    "plain types": Case("def f(a: int, b: str = 'x', c: float = 1.5, d: bool = False, e: bytes = b'z') -> None: ...\n"),
    "fields": Case(
        "async def f(a: Annotated[int, Field(gt=1, description='A')], b: Annotated[str, 'bee'] = 'q',\n"
        "            c: float = Field(default=1.5, description='C', le=3)) -> None:\n    '''Do.'''\n"
    ),
    "two texts": Case("def f(a: Annotated[str, 'a', 'b'] = 'x', b: list[int] = Field(default_factory=list)): ...\n"),
    "a field without a default": Case("def f(a: str = Field(..., title='A'), b: int = Field(description='b')): ...\n"),
    "names of pydantic's own": Case("def f(copy: int, schema: str = 'x', json: bool = True, dict: int = 2): ...\n"),
    "names of keywords": Case("def f(title: str, type: str = 'x', properties: dict = {}, items: list = []): ...\n"),
    "keyword-only": Case("def f(a: int, *, b: str, c: str = 'x') -> int: ...\n"),
    "literals and enums": Case(
        "class E(str, Enum):\n    A = 'a'\n    B = 'b'\nclass Q(BaseModel):\n    e: E = E.A\n"
        "def f(e: E = E.B, q: Optional[Q] = None, k: Literal['a', 1] = 'a') -> list[Q]: ...\n"
    ),
    "models": Case(f"{NODE}def f(n: N, q: Annotated[M, Field(title='Q', description='D')]) -> N: ...\n"),
    "annotations as text": Case(f"{M}def f(a: int, m: M, o: Optional[M] = None) -> list[M]: ...\n", future=True),
    # --- what the SDK fills in
    "a context first": Case("async def f(ctx: Context, a: Optional[int] = None) -> dict[str, Any]:\n    '''Do.'''\n"),
    **{
        f"the context {context}": Case(f"def f(a: int, ctx: {context}) -> int: ...\n")
        for context in ("Context | None", "Annotated[Context, 'the context']", "'Context'")
    },
    "a context of one's own": Case("class My(Context):\n    pass\ndef f(a: int, ctx: My) -> int: ...\n"),
    "two contexts": Case("def f(one: Context, a: int, two: Context = None) -> int: ...\n", families=NEWER),
    "dependencies": Case("def f(a: int, c: Context = CurrentContext(), d: str = Depends(len)): ...\n", families=NEWER),
    "stars": Case("def f(*args: int, **kw: str) -> int: ...\n", families=OFFICIAL),
    # --- results
    **{
        f"the result {result}": Case(f"def f() -> {result}: ...\n")
        for result in (
            *("None", "'None'", "Any", "int", "bytes", "dict", "dict[str, str]", "Dict[str, Any]", "dict[int, str]"),
            *("list", "list[Any]", "list[int]", "List", "tuple[str, int]", "Optional[str]", "TextContent"),
            *("Annotated[str, Field(description='D')]", "Annotated[dict[str, int], Field(description='D')]"),
            "list[TextContent | ImageContent]",
        )
    },
    "no result, as text": Case("def f() -> None: ...\n", future=True),
    "an optional model": Case(f"{M}def f() -> M | None: ...\n"),
    "a dataclass": Case(f"{DATACLASS}def f() -> D: ...\n", families=FASTMCP),
    "a dataclass as a parameter": Case(f"{DATACLASS}def f(d: D): ...\n"),
    "a typed dict": Case(f"{TYPED}def f() -> T: ...\n", families=(*FASTMCP, "mcp2-mcpserver")),
    "a typed dict of another": Case("class A(TypedDict):\n    a: int\nclass B(A):\n    b: int\ndef f() -> B: ...\n"),
    "a typed dict of all its keys": Case("class T(TypedDict):\n    a: int\n    b: list[str]\ndef f() -> T: ...\n"),
    "a typed dict of all its keys, late": Case("class T(TypedDict):\n    a: int\ndef f() -> T: ...\n", future=True),
    "a typed dict as a parameter": Case(f"{TYPED}def f(t: T): ...\n"),
    "a typed dict as a parameter, late": Case(f"{TYPED}def f(t: T): ...\n", future=True),
    "an enum": Case("class E(str, Enum):\n    A = 'a'\ndef f() -> E: ...\n"),
    "a root model": Case("class R(RootModel[list[int]]):\n    pass\ndef f(r: R) -> R: ...\n"),
    "a computed field": Case(f"{COMPUTED}def f(c: C) -> C: ...\n", families=OFFICIAL),
    "aliases in a result": Case(f"{ALIASES}def f(m: M) -> M: ...\n"),
    "aliases in a list": Case(f"{ALIASES}def f(m: M) -> list[M]: ...\n"),
    "aliases that are written": Case(WRITTEN, families=(*OFFICIAL, "fastmcp2")),
    "content of every kind": Case("def f() -> list[ContentBlock]: ...\n", families=("mcp2-mcpserver", *FASTMCP)),
    "content in a model": Case(
        "class Q(BaseModel):\n    t: TextContent\ndef f(q: Q) -> Q: ...\n",
        families=("mcp1-fastmcp", "fastmcp2", "fastmcp3"),
    ),
    "a result made by hand": Case("def f() -> CallToolResult: ...\n", families=OFFICIAL),
    "a result of fastmcp": Case("def f() -> ToolResult: ...\n", families=FASTMCP),
    # --- docstrings
    "a docstring with sections": Case(f"def f(a: int, b: str = 'x') -> str:\n    {GOOGLE}return ''\n"),
    "a docstring with results only": Case("def f():\n    '''Do.\n\n    Returns:\n        what comes\n    '''\n"),
    **{
        f"a docstring with {what}": Case(source, families=(*OFFICIAL, "fastmcp2"))
        for what, source in {"underlines": UNDERLINED, "fields": FIELDS}.items()
    },
    "a docstring beside descriptions": Case(
        "def f(a: Annotated[int, Field(description='own')], b: int):\n"
        "    '''Do.\n\n    Args:\n        a: no\n        b: yes\n    '''\n"
    ),
    "an empty docstring": Case("def f():\n    ''\n"),
    "a docstring of spaces": Case("def f():\n    '''   \n    '''\n"),
    # --- options
    **{
        f"the option {option}": Case("def f(): ...\n", f"dict({option})")
        for option in (
            *(
                "annotations={'readOnlyHint': 'yes'}",
                "annotations={'readOnlyHint': True, 'mine': 1}",
                "annotations=ToolAnnotations()",
            ),
            "annotations={'title': 'X', 'idempotentHint': True}",
            "annotations=ToolAnnotations(title='X', readOnlyHint=False, openWorldHint=None)",
            *("name='x-y_z'", "meta={'a': {'b': [1, None]}}", "meta={}"),
        )
    },
    "a title and a description": Case("def f():\n    'doc'\n", "dict(title='T', description='D')"),
    "an empty title and description": Case("def f():\n    'doc'\n", "dict(title='', description='')"),
    "annotations in snake case": Case(
        "def f(): ...\n",
        "dict(annotations=ToolAnnotations(read_only_hint=True))",
        families=("mcp2-mcpserver", "fastmcp4"),
    ),
    "unstructured output": Case("def f() -> str: ...\n", "dict(structured_output=False)", families=OFFICIAL),
    "structured output": Case("def f() -> list[int]: ...\n", "dict(structured_output=True)", families=OFFICIAL),
    "tags": Case("def f(): ...\n", "dict(tags={'b', 'a'})", families=FASTMCP),
    "no output schema": Case("def f() -> str: ...\n", "dict(output_schema=None)", families=FASTMCP),
    "references that stay": Case(f"{M}def f(m: M) -> M: ...\n", server=REFERRING, families=NEWER),
}

UNSETTLED = {
    "two contexts": (
        Case("def f(one: Context, a: int, two: Context = None): ...\n", families=(*OFFICIAL, "fastmcp2")),
        "inputSchema",
    ),
    "a list of contexts": (Case("def f(a: int, ctx: list[Context] = []): ...\n", families=FASTMCP), "inputSchema"),
    "a computed field that is sent": (Case(f"{COMPUTED}def f() -> C: ...\n", families=FASTMCP), "outputSchema"),
    "aliases that some classes write": (Case(WRITTEN, families=NEWER), "outputSchema"),
    "a model as a default": (Case(f"{M}def f(m: M = M(a=2)) -> int: ...\n"), "inputSchema"),
    "tagged options without references": (
        Case(f"{PETS}def f(m: Annotated[Union[Cat, Dog], Field(discriminator='kind')]): ...\n", families=FASTMCP),
        "inputSchema",
    ),
    "a deep type": (Case(f"def f(a: {'list[' * 60}int{']' * 60}): ...\n", families=FASTMCP), "inputSchema"),
    "a default of the program": (Case(f"{MYSTERY}def f(a: int = mystery): ...\n"), "inputSchema"),
    "a type of the program": (Case("def f(a: int) -> Mystery: ...\n"), "outputSchema"),
    "a lost default": (
        Case("def f(a: Annotated[int, 'x'], *, b: int = 3): ...\n", families=("fastmcp2",)),
        "inputSchema",
    ),
    **{
        f"a {field} of the program": (Case(f"{MYSTERY}def f(): ...\n", f"dict({field}=mystery)"), field)
        for field in ("name", "title", "description")
    },
    "meta data of the program": (Case(f"{MYSTERY}def f(): ...\n", "dict(meta={'a': mystery})"), "_meta"),
    "a text as annotations": (Case("def f(): ...\n", "dict(annotations='x')"), "annotations"),
    "meta data that the SDK writes itself": (
        Case("def f(): ...\n", "dict(meta={'_fastmcp': 1, 'fastmcp': 1})", families=FASTMCP),
        "_meta",
    ),
    "references of the program": (
        Case(f"{MYSTERY}{M}def f(m: M): ...\n", server="dict(dereference_schemas=mystery)", families=NEWER),
        "inputSchema",
    ),
    "a switch of the program": (
        Case(f"{MYSTERY}def f() -> int: ...\n", "dict(structured_output=mystery)", families=OFFICIAL),
        "outputSchema",
    ),
    "tags of the program": (Case(f"{MYSTERY}def f(): ...\n", "dict(tags=mystery)", families=FASTMCP), "_meta"),
    "content of every kind": (
        Case("def f() -> list[ContentBlock]: ...\n", families=("mcp1-fastmcp",)),
        "outputSchema",
    ),
    "a class with the SDK's name": (
        Case("class fArguments(BaseModel):\n    x: int\ndef f(b: fArguments): ...\n", families=OFFICIAL),
        "inputSchema",
    ),
    "a callable as result": (
        Case("def f() -> typing.Callable[[int], str]: ...\n", families=("mcp1-fastmcp",)),
        "outputSchema",
    ),
    "structured content": (
        Case("def f() -> list[TextContent]: ...\n", "dict(structured_output=True)", families=("mcp2-mcpserver",)),
        "outputSchema",
    ),
    "positional-only": (Case("def f(a: int, /): ...\n", families=("fastmcp2", "fastmcp3")), "inputSchema"),
    "a result as text beside a type": (Case("def f(a: int) -> 'None': ...\n", families=FASTMCP), "outputSchema"),
    "a task": (Case("async def f(): ...\n", "dict(task=True)", families=NEWER), "execution"),
    "a class": (Case("class P:\n    x: int\n    y: str = 'q'\ndef f() -> P: ...\n"), "outputSchema"),
    "a class without annotations": (Case("class P: pass\ndef f() -> P: ...\n"), "outputSchema"),
    "a dataclass": (Case(f"{DATACLASS}def f() -> D: ...\n", families=OFFICIAL), "outputSchema"),
    "a typed dict with a key that is not required": (
        Case(f"{TYPED}def f() -> T: ...\n", families=("mcp1-fastmcp",)),
        "outputSchema",
    ),
    "a model of itself": (Case(f"{TREE}def f() -> T: ...\n"), "outputSchema"),
    "a parameter that is a model of itself": (Case(f"{TREE}def f(t: T): ...\n"), "inputSchema"),
    "an icon": (Case("def f(): ...\n", "dict(icons=[{'src': 'https://example.com/i.png'}])"), "icons"),
    "a version": (Case("def f(): ...\n", "dict(version='1.0', tags=['x'])", families=NEWER), "_meta"),
    "an output schema": (
        Case("def f(): ...\n", "dict(output_schema={'properties': {}})", families=NEWER),
        "outputSchema",
    ),
    "excluded arguments": (
        Case(
            "def f(a: int, b: Image = None) -> str: ...\n",
            "dict(exclude_args=['b'])",
            families=("fastmcp2", "fastmcp3"),
        ),
        "inputSchema",
    ),
    "a switch of tags": (
        Case("def f(): ...\n", "dict(tags=['a'])", "dict(include_fastmcp_meta=False)", families=("fastmcp2",)),
        "_meta",
    ),
}
"""Each with the field, and no other than those that depend on it, that is not known."""

REFUSED = {
    "stars": Case("def f(*args: int, **kw: str) -> int: ...\n", families=FASTMCP),
    "positional-only": Case("def f(a: int, /, b: int) -> int: ...\n", families=("fastmcp4",)),
    "an underscore": Case("def f(_a: int) -> int: ...\n", families=OFFICIAL),
    "an option that is not one": Case("def f(): ...\n", "dict(titel='x')"),
    "an option of others": Case("def f(): ...\n", "dict(tags=['x'])", families=OFFICIAL),
    "an option of the official one": Case("def f(): ...\n", "dict(structured_output=True)", families=FASTMCP),
    "structure without a result": Case("def f(): ...\n", "dict(structured_output=True)", families=OFFICIAL),
    "structure that is none": Case("def f() -> Any: ...\n", "dict(structured_output=True)", families=OFFICIAL),
    "a class of the SDK as a parameter": Case("def f(a: Image) -> int: ...\n"),
    "positional-only and keyword-only": Case("def f(a: int, /, *, b: int) -> int: ...\n", families=FASTMCP),
    "an output schema of a list": Case("def f(): ...\n", "dict(output_schema={'type': 'array'})", families=FASTMCP),
    "an icon of nothing": Case("def f(): ...\n", "dict(icons=[{'sizes': ['1x1']}])"),
    **{
        f"an exclusion of {what}": Case(source, "dict(exclude_args=['b'])", families=("fastmcp2", "fastmcp3"))
        for what, source in {"what is needed": "def f(b: int): ...\n", "nothing": "def f(a: int = 1): ...\n"}.items()
    },
}
