"""Model modules in which a class is not simply what its body says at the end of the program."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

TRAPS = {
    "config assigned later": """
        class M(BaseModel):
            x: int
        M.model_config["title"] = "T"
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
}

CASES = {name: Case(dedent(source)) for name, source in TRAPS.items()}
