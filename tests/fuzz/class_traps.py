"""More model modules in which a class changes after it is made, or is not only what simple statements say."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import PREAMBLE, Case

LATE = "from __future__ import annotations\n"
TRAPS = {
    "computed field under if": """
        from pydantic import computed_field
        class M(BaseModel):
            x: int
            if True:
                @computed_field
                @property
                def y(self) -> str: return ""
    """,
    "config dict read and updated": """
        class M(BaseModel):
            model_config = ConfigDict(title="A")
            x: int
        M.model_config.update(title="T")
    """,
    "annotations changed in the body": """
        class M(BaseModel):
            x: int
            __annotations__["y"] = str
    """,
    "annotations changed later": """
        class M(BaseModel):
            x: int
        M.__annotations__["y"] = str
        M.model_rebuild(force=True)
    """,
    "dataclass changed later": """
        from dataclasses import dataclass
        @dataclass
        class M:
            x: str = "a"
        M.x = "b"
        M.__doc__ = "Q"
    """,
    "field deleted": """
        class M(BaseModel):
            x: int = 3
            y: int = 4
            del y
    """,
    "tuple assignment": """
        class M(BaseModel):
            x: int
            y: int
            x, y = 1, 2
    """,
    "augmented": """
        class M(BaseModel):
            x: int = 1
            x += 2
    """,
    "assigned again": """
        class M(BaseModel):
            x: int = 1
            x = 5
    """,
    "with in body": """
        import contextlib
        class M(BaseModel):
            with contextlib.suppress(Exception):
                x: int = 1
                raise ValueError
                y: int = 2
    """,
    "try in body": """
        class M(BaseModel):
            try:
                x: int = 1
                raise ValueError
            except ValueError:
                y: int = 2
    """,
    "default list changed before": """
        DEF = [1]
        class M(BaseModel):
            x: list = Field(default=DEF, description="d")
        DEF.append(2)
    """,
    "field by setattr in a loop": """
        class M(BaseModel):
            x: str
        for name in ("x",):
            setattr(M.model_fields[name], "description", "D")
        M.model_rebuild(force=True)
    """,
    "fields gone through": """
        class M(BaseModel):
            x: str
        for f in M.model_fields.values():
            f.description = "D"
        M.model_rebuild(force=True)
    """,
    "rebuilt with a namespace": """
        class M(BaseModel):
            x: "Later"
        M.model_rebuild(_types_namespace={"Later": int})
        class Later(BaseModel):
            a: int
    """,
    "forward in a loop": """
        class M(BaseModel):
            x: "T"
        for T in (int, str):
            M.model_rebuild()
    """,
    "module attribute rebound": """
        class NS:
            T = int
        class M(BaseModel):
            x: NS.T
        NS.T = str
    """,
    "walrus in the body": """
        class M(BaseModel):
            x: int = (_n := 3)
            y: int = _n + 1
    """,
    "doc later by setattr": """
        class M(BaseModel):
            '''Docs.'''
            x: int
        setattr(M, "__doc__", "Z")
    """,
    "exec in the body": """
        class M(BaseModel):
            exec("x: int = 3")
    """,
    "init subclass adds": """
        class Base(BaseModel):
            def __init_subclass__(cls, **kw):
                cls.__annotations__["z"] = int
                super().__init_subclass__(**kw)
        class M(Base):
            x: int
    """,
    "type call": """
        M = type("M", (BaseModel,), {"__annotations__": {"x": int}})
    """,
    "create_model": """
        from pydantic import create_model
        D = {"x": (int, 3)}
        M = create_model("M", **D)
    """,
    "two classes of one name": """
        def make(T):
            class Inner(BaseModel):
                a: T
            return Inner
        A, B = make(int), make(str)
        class M(BaseModel):
            x: A
            y: B
    """,
    "generic rebound": """
        T = TypeVar("T")
        class G(BaseModel, Generic[T]):
            x: T
        M = G[int]
        class G(BaseModel, Generic[T]):
            y: T
    """,
}
POSTPONED = frozenset(
    {
        "postponed field named like its type",
        "postponed rebound",
        "postponed class local",
        "dataclass postponed rebound",
    }
)


class _LateCase(Case):
    """A module that postpones its annotations, which it has to say before anything else."""

    @property
    def all_modules(self) -> dict[str, str]:
        return {"sample.models": f"{LATE}{PREAMBLE}\n{self.source}"}


CASES = {name: (_LateCase if name in POSTPONED else Case)(dedent(source)) for name, source in TRAPS.items()}
