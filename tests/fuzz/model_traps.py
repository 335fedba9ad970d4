"""Model modules in which a class is not simply what its body says at the end of the program."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

TRAPS = {
    "rebound description": """
        TEXT = "a"
        class M(BaseModel):
            x: str = Field(description=TEXT)
        TEXT = "b"
    """,
    "unknown conditional": """
        import os
        class M(BaseModel):
            x: int
            if os.environ.get("QQ"):
                y: int = 3
    """,
    "loop class": """
        made = []
        for word in ("a", "b"):
            class M(BaseModel):
                x: str = Field(word, description=f"the {word}")
            made.append(M)
        M = made[0]
    """,
    "factory first": """
        def make(text):
            class M(BaseModel):
                x: str = Field(description=text)
            return M
        M = make("first")
        A = make("second")
    """,
    "doc in body": """
        class M(BaseModel):
            __doc__ = f"Docs {1 + 1}."
            x: int
    """,
    "mutated field info": """
        class M(BaseModel):
            x: int
        M.model_fields["x"].description = "later"
        M.model_rebuild(force=True)
    """,
    "config assigned later": """
        class M(BaseModel):
            x: int
        M.model_config["title"] = "T"
    """,
    "enum from loop": """
        class E(Enum):
            _ignore_ = "n"
            for n in ("A", "B"):
                vars()[n] = n
        class M(BaseModel):
            e: E
    """,
    "inherit config dict": """
        class Base(BaseModel):
            model_config = ConfigDict(extra="forbid")
        class M(Base):
            model_config = Base.model_config | {"title": "T"}
            x: int
    """,
    "helper makes field": """
        def f(text, **more):
            return Field(description=text.upper(), **more)
        class M(BaseModel):
            x: int = f("abc", ge=3)
    """,
    "decorated factory": """
        def deco(cls):
            cls.__doc__ = "changed"
            return cls
        @deco
        class M(BaseModel):
            x: int
    """,
    "inner Config with base": """
        class Base(BaseModel):
            class Config:
                extra = "forbid"
        class M(Base):
            class Config(Base.Config):
                title = "T"
            x: int
    """,
    "try import type": """
        try:
            from nosuchpkg import Thing
        except ImportError:
            Thing = str
        class M(BaseModel):
            x: Thing
    """,
}

CASES = {name: Case(dedent(source)) for name, source in TRAPS.items()}
