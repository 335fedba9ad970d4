"""Functions and their registrations, as source."""

from __future__ import annotations

from tests.schemas.signatures.asking import Case

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
NODE = """
class N(BaseModel):
    '''Node.'''
    x: int
    y: Optional[str] = None
class M(BaseModel):
    n: N = Field(description='d')
    l: list[N] = []
"""

SETTLED = {
    "a docstring with sections": Case(f"def f(a: int, b: str = 'x') -> str:\n    {GOOGLE}return ''\n"),
    "a context first": Case("async def f(ctx: Context, a: Optional[int] = None) -> dict[str, Any]:\n    '''Do.'''\n"),
    "an optional context, and options": Case(
        "async def f(a: List[str], ctx: Optional[Context] = None) -> List[dict]:\n    '''Do.'''\n",
        "dict(name='x-y_z', title='T', description='D', annotations=ToolAnnotations(readOnlyHint=True))",
    ),
    "fields": Case(
        "async def f(a: Annotated[int, Field(gt=1, description='A')], b: Annotated[str, 'bee'] = 'q',\n"
        "            c: float = Field(default=1.5, description='C', le=3)) -> None:\n    '''Do.'''\n"
    ),
    "no annotations": Case("def f(a, b=1, *, k): pass"),
    "models": Case(f"{NODE}def f(m: M, q: Literal['a', 'b'] = 'a') -> M: ...\n"),
    "enums": Case(
        "class E(str, Enum):\n    A = 'a'\n    B = 'b'\n"
        "class M(BaseModel):\n    e: E = E.A\n"
        "def f(e: E = E.B, m: Optional[M] = None) -> list[M]: ...\n"
    ),
    "a typed dict and a dataclass": Case(
        "class T(TypedDict, total=False):\n    a: int\n    b: str\n"
        "@dataclass\nclass D:\n    a: int\n    b: str = 'x'\n"
        "def f(t: T, d: D) -> T: ...\n"
    ),
    "a dataclass as result": Case("@dataclass\nclass D:\n    a: int\n    b: str = 'x'\ndef f() -> D: ...\n"),
}

REFUSED: dict[str, tuple[Case, tuple[str, ...]]] = {
    "stars": (Case("def f(*args: int, **kw: str) -> int: ..."), ("fastmcp",)),
    "an underscore": (Case("def f(_a: int) -> int: ..."), ("mcp",)),
}
