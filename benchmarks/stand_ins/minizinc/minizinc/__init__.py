"""In place of minizinc, which is a binding to a program: solvers can be looked up, and nothing can be solved."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    UNKNOWN = 0
    ERROR = 1
    UNSATISFIABLE = 2
    SATISFIED = 3
    ALL_SOLUTIONS = 4
    OPTIMAL_SOLUTION = 5


class Solver:
    def __init__(self, tag: str) -> None:
        self.name = self.id = tag
        self.version = "0"

    @classmethod
    def lookup(cls, tag: str) -> Solver:
        return cls(tag)


class Model:
    def __init__(self) -> None:
        self.parts: list[str] = []

    def add_string(self, code: str) -> None:
        self.parts.append(code)


class Instance:
    def __init__(self, solver: Solver, model: Model) -> None:
        self.solver = solver
        self.model = model


class Result:
    status = Status.UNKNOWN
