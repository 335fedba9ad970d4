"""Reads the source of small server modules into specs of their functions; see ``tests/schemas/reading.py``."""

from __future__ import annotations

import ast
from typing import Any

from pdmigrate.sdk.schemas import specs as s
from tests.schemas.reading import FUNCTIONS, Reader, text


class FunctionReader(Reader):
    """A module whose functions are read, too."""

    def __init__(self, module: str, source: str) -> None:
        self.functions: dict[str, s.FunctionSpec] = {}
        super().__init__(module, source)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Try):
            for item in node.body:
                self.statement(item)
            return
        super().statement(node)
        if isinstance(node, FUNCTIONS):
            self.functions[node.name] = self.function(node)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> s.FunctionSpec:
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[Any] = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
        parameters = [
            self.parameter(
                item, "POSITIONAL_ONLY" if index < len(arguments.posonlyargs) else "POSITIONAL_OR_KEYWORD", default
            )
            for index, (item, default) in enumerate(zip(positional, defaults, strict=True))
        ]
        if arguments.vararg:
            parameters.append(self.parameter(arguments.vararg, "VAR_POSITIONAL", None))
        for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            parameters.append(self.parameter(item, "KEYWORD_ONLY", default))
        if arguments.kwarg:
            parameters.append(self.parameter(arguments.kwarg, "VAR_KEYWORD", None))
        return s.FunctionSpec(
            node.name,
            self.module,
            tuple(parameters),
            self.type(node.returns) if node.returns else None,
            text(node.body[0]),
            isinstance(node, ast.AsyncFunctionDef),
            late=self.late(node),
        )

    def late(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool | None:
        if "annotations" in self.names and self.names["annotations"] == s.NameSpec("__future__.annotations"):
            return True
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        found = [node.returns, *(item.annotation for item in arguments)]
        texts = [isinstance(item, ast.Constant) and isinstance(item.value, str) for item in found if item is not None]
        return None if any(texts) else False

    def parameter(self, node: ast.arg, kind: str, default: ast.expr | None) -> s.ParameterSpec:
        annotation = self.type(node.annotation) if node.annotation else None
        return s.ParameterSpec(node.arg, kind, annotation, self.value(default) if default else None)
