"""Print a syntax tree, and note where in the text each of its nodes stands.

libcst's own position metadata needs its wrapper and imports the matchers, which takes several times as long as parsing;
printing with a state that counts characters takes a third as long as parsing.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState


class Offsets:
    """Where nodes begin and end in their file, without the white space and comments around them.

    Nodes are looked up by identity: their hash is a Python function, which would be called for every node of a tree.
    Each node is kept alive here, so that no other node can get its identity.
    """

    __slots__ = ("_places",)

    def __init__(self) -> None:
        self._places: dict[int, tuple[cst.CSTNode, int, int]] = {}

    def __getitem__(self, node: cst.CSTNode) -> tuple[int, int]:
        """The start and end of a node; raises KeyError when the node is not of this file."""
        _, start, end = self._places[id(node)]
        return start, end

    def __contains__(self, node: cst.CSTNode) -> bool:
        return id(node) in self._places

    def put(self, node: cst.CSTNode, start: int, end: int) -> None:
        self._places[id(node)] = (node, start, end)

    def put_first(self, node: cst.CSTNode, start: int, end: int) -> None:
        """Note a node's place unless a more precise one is known.

        This place includes white space.  It is noted for a search for the nodes around a position, which asks for the
        places of all nodes.
        """
        self._places.setdefault(id(node), (node, start, end))


class _Printer(CodegenState):
    """The state that ``module.code`` prints with, minus its bookkeeping for positions, which takes half of the time."""

    _nothing: AbstractContextManager[None] = nullcontext()

    def record_syntactic_position(self, *_: Any, **__: Any) -> Any:
        return self._nothing


class _Recorder(CodegenState):
    """Counts characters while printing, from ``position`` on, and notes the place of each node."""

    def __init__(self, module: cst.Module, offsets: Offsets, position: int) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.offsets = offsets
        self.position = position
        self.starts: list[int] = []

    def add_indent_tokens(self) -> None:
        super().add_indent_tokens()
        self.position += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        self.position += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:  # noqa: ARG002 - the signature is libcst's
        self.starts.append(self.position)

    def after_codegen(self, node: cst.CSTNode) -> None:
        self.offsets.put_first(node, self.starts.pop(), self.position)

    def record_syntactic_position(
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> Any:
        return _Syntactic(self, node, start_node, end_node)


class _Syntactic:
    """Notes a node's place without the white space around it: from the node's first to its last inner node."""

    __slots__ = ("first", "last", "node", "start", "state")

    def __init__(
        self, state: _Recorder, node: cst.CSTNode, first: cst.CSTNode | None, last: cst.CSTNode | None
    ) -> None:
        self.state, self.node, self.first, self.last = state, node, first, last
        self.start = state.position

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        offsets = self.state.offsets
        start = offsets[self.first][0] if self.first is not None else self.start
        end = offsets[self.last][1] if self.last is not None else self.state.position
        offsets.put(self.node, start, end)


def printed(module: cst.Module) -> str:
    """The same text as ``module.code``."""
    state = _Printer(default_indent=module.default_indent, default_newline=module.default_newline)
    module._codegen(state)
    return "".join(state.tokens)


def place(module: cst.Module, offsets: Offsets, position: int = 0) -> str:
    """The text that the tree prints; the places of its nodes, counted from ``position``, are noted in ``offsets``."""
    state = _Recorder(module, offsets, position)
    module._codegen(state)
    return "".join(state.tokens)
