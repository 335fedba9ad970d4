"""Reads the source of small model modules into specs: the test's own stand-in for the evaluator.

It knows the shapes that the tables here use and nothing else, and says so when it meets another.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping
from typing import Any

from pdmigrate.sdk.schemas import specs as s

SPECIAL_BASES = {"typing.TypedDict", "typing_extensions.TypedDict"}
ENUMS = {"enum.Enum", "enum.IntEnum", "enum.StrEnum"}
MODELS = {"pydantic.BaseModel", "pydantic.RootModel"}
DATACLASSES = {"dataclasses.dataclass", "pydantic.dataclasses.dataclass"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Reader:
    """One module as names and their specs."""

    def __init__(self, module: str, source: str, others: Mapping[str, Reader] | None = None) -> None:
        self.module = module
        self.others = others or {}
        self.tree = ast.parse(source)
        self.names: dict[str, Any] = {}
        self.modules: dict[str, str] = {}
        self.later = {node.name for node in self.tree.body if isinstance(node, ast.ClassDef)}
        self.later |= set(re.findall(r"^(\w+) = TypeAliasType\(", source, re.MULTILINE))
        for node in self.tree.body:
            self.statement(node)

    @property
    def definitions(self) -> list[Any]:
        return [value for value in self.names.values() if isinstance(value, s._ClassSpec)]

    # --- statements ---------------------------------------------------------------------------------------------------

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self.names[alias.asname or alias.name] = self.imported(str(node.module), alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                self.modules[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ClassDef):
            self.names[node.name] = self.klass(node)
        elif isinstance(node, FUNCTIONS):
            self.names[node.name] = s.CodeValue(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.names[node.targets[0].id] = self.assigned(node.targets[0].id, node.value)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, ast.Call))):
            raise NotImplementedError(ast.unparse(node))

    def imported(self, module: str, name: str) -> Any:
        return self.others[module].names[name] if module in self.others else s.NameSpec(f"{module}.{name}")

    def assigned(self, name: str, node: ast.expr) -> Any:
        value = self.value(node)
        if not isinstance(value, s.CallValue):
            return self.type(node) if value == s.PlainValue(None) else value
        kind = value.callee.rpartition(".")[2]
        keywords: dict[str, Any] = dict(value.kwargs)
        if kind == "TypeVar":
            return s.TypeVarSpec(name, keywords.get("bound"), tuple(value.args[1:]), keywords.get("default"))
        if kind in ("NewType", "TypeAliasType", "NamedTuple"):
            return s.UnknownSpec(f"a type made by {kind}", "PD307")
        if kind == "create_model":
            fields = tuple(
                s.FieldSpec(key, item.items[0], item.items[1])
                for key, item in value.kwargs
                if isinstance(item, s.ItemsValue)
            )
            base = keywords.get("__base__", s.NameSpec("pydantic.BaseModel"))
            return s.ModelSpec(name=name, module=self.module, bases=(base,), fields=fields)
        if value.callee == "enum.Enum":
            return s.EnumSpec(name=name, module=self.module, members=members(value.args[1]))
        if kind == "TypedDict":
            entries = tuple(s.FieldSpec(k.value, v) for k, v in value.args[1].items)
            total = keywords.get("total", s.PlainValue(True)).value
            return s.TypedDictSpec(name=name, module=self.module, fields=entries, total=total)
        return value

    # --- classes ------------------------------------------------------------------------------------------------------

    def klass(self, node: ast.ClassDef) -> Any:
        common = {
            "name": node.name,
            "module": self.module,
            "doc": ast.get_docstring(node, clean=False),
            "methods": tuple(self.method(item) for item in node.body if isinstance(item, FUNCTIONS)),
        }
        decorators = [self.value(item) for item in node.decorator_list]
        maker = next((d for d in decorators if self.name_of(d) in DATACLASSES), None)
        common["decorators"] = tuple(d for d in decorators if d is not maker)
        bases = tuple(self.type(base) for base in node.bases)
        keywords = tuple((str(k.arg), self.value(k.value)) for k in node.keywords)
        saved = dict(self.names)
        fields = self.fields(node)
        self.names = saved
        return self.make(node, common, bases, keywords, fields, maker)

    def make(self, node: ast.ClassDef, common: Any, bases: Any, keywords: Any, fields: Any, maker: Any) -> Any:
        names = {base.name for base in bases if isinstance(base, s.NameSpec)}
        config = {item.name: item.default for item in fields}
        if maker is not None:
            options = maker.kwargs if isinstance(maker, s.CallValue) else ()
            return s.DataclassSpec(**common, maker=self.name_of(maker), options=options, bases=bases, fields=fields)
        if names & ENUMS or any(isinstance(base, s.EnumSpec) for base in bases):
            members = tuple((f.name, f.default) for f in fields if f.default is not None)
            return s.EnumSpec(**common, bases=bases, members=members)
        if names & SPECIAL_BASES or any(isinstance(base, s.TypedDictSpec) for base in bases):
            total = dict(keywords).get("total", s.PlainValue(True)).value
            bases = tuple(base for base in bases if base not in {s.NameSpec(name) for name in SPECIAL_BASES})
            rest = tuple(k for k in keywords if k[0] != "total")
            return s.TypedDictSpec(**common, bases=bases, fields=fields, total=total, keywords=rest)
        if "typing.NamedTuple" in names:
            return s.UnknownSpec("a named tuple", "PD307")
        if any(self.is_model(base) for base in bases):
            own = tuple(f for f in fields if f.name != "model_config")
            inner = [item for item in node.body if isinstance(item, ast.ClassDef) and item.name == "Config"]
            old = tuple((f.name, f.default) for f in self.fields(inner[0])) if inner else None
            given = pairs(config.get("model_config"))
            return s.ModelSpec(**common, bases=bases, keywords=keywords, fields=own, config=given, config_class=old)
        return s.PlainClassSpec(**common, bases=bases, fields=fields)

    def is_model(self, base: Any) -> bool:
        if isinstance(base, s.SubscriptSpec):
            return self.is_model(base.base)
        return isinstance(base, s.ModelSpec) or (isinstance(base, s.NameSpec) and base.name in MODELS)

    def fields(self, node: ast.ClassDef) -> tuple[s.FieldSpec, ...]:
        found: dict[str, s.FieldSpec] = {}
        for item in node.body:
            if isinstance(item, ast.ClassDef) and item.name != "Config":
                self.names[item.name] = self.klass(item)
            elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                default = self.value(item.value) if item.value else None
                found[item.target.id] = s.FieldSpec(item.target.id, self.type(item.annotation), default)
            elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
                name = item.targets[0].id
                found[name] = s.FieldSpec(name, None, self.value(item.value))
        return tuple(found.values())

    def method(self, node: Any) -> s.MethodSpec:
        return s.MethodSpec(node.name, tuple(self.value(item) for item in node.decorator_list))

    # --- expressions --------------------------------------------------------------------------------------------------

    def type(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.type(ast.parse(node.value, mode="eval").body)
        if isinstance(node, ast.Constant) and node.value is None:
            return s.NONE
        return self.value(node)

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return s.ELLIPSIS if node.value is ... else s.PlainValue(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return s.PlainValue(-node.operand.value)  # type: ignore[operator]
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            kind = type(node).__name__.lower()
            return s.ItemsValue(kind, tuple(self.value(item) for item in node.elts))
        if isinstance(node, ast.Dict):
            return s.MappingValue(
                tuple((self.value(k), self.value(v)) for k, v in zip(node.keys, node.values, strict=True) if k)
            )
        if isinstance(node, ast.Name):
            return self.named(node.id)
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Lambda):
            return s.CodeValue()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return s.UnionSpec((self.type(node.left), self.type(node.right)))
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        raise NotImplementedError(ast.unparse(node))

    def named(self, name: str) -> Any:
        if name in self.names:
            return self.names[name]
        if name in self.later:
            return s.RefSpec(f"{self.module}:{name}")
        if hasattr(builtins, name):
            return s.NameSpec(f"builtins.{name}")
        if name == "self_alias":
            raise NotImplementedError(name)
        return s.UnknownSpec(f"{name} is not known", "PD301")

    def attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id in self.modules:
            return s.NameSpec(f"{self.modules[node.value.id]}.{node.attr}")
        owner = self.value(node.value)
        if isinstance(owner, s.EnumSpec):
            return s.MemberValue(owner, node.attr)
        if isinstance(owner, s.NameSpec):
            return s.NameSpec(f"{owner.name}.{node.attr}")
        if isinstance(owner, s.CodeValue):
            return s.NameSpec(f"builtins.property.{node.attr}")
        return s.UnknownSpec(f"{ast.unparse(node)} is not known", "PD301")

    def subscript(self, node: ast.Subscript) -> Any:
        base = self.value(node.value)
        nodes = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        name = self.name_of(base)
        if name.endswith(".Literal"):
            return s.LiteralSpec(tuple(self.value(item) for item in nodes))
        if name.endswith(".Annotated"):
            return s.AnnotatedSpec(self.type(nodes[0]), tuple(self.value(item) for item in nodes[1:]))
        args = tuple(self.value(n) if isinstance(n, ast.List) else self.type(n) for n in nodes)
        if name.endswith(".Optional"):
            return s.UnionSpec((*args, s.NONE))
        if name.endswith(".Union"):
            return s.UnionSpec(args)
        return s.SubscriptSpec(base, args)

    def call(self, node: ast.Call) -> Any:
        callee = self.value(node.func)
        args = [self.value(item) for item in node.args]
        name = self.name_of(callee)
        if name.rpartition(".")[2] in {"TypeAliasType", "NewType"}:
            args[1:2] = [self.type(node.args[1])]
        keywords = tuple((str(k.arg), self.value(k.value)) for k in node.keywords)
        if isinstance(callee, (s.ModelSpec, s.DataclassSpec)):
            return s.UnknownSpec("an instance of the program", "PD307")
        if not name:
            return s.UnknownSpec(f"{ast.unparse(node)} is not known", "PD301")
        return s.CallValue(name, tuple(args), keywords)

    def name_of(self, value: Any) -> str:
        if isinstance(value, s.CallValue):
            return value.callee
        return value.name if isinstance(value, s.NameSpec) else ""


def members(value: Any) -> tuple[tuple[str, Any], ...]:
    """The members of an enum that a call makes."""
    if isinstance(value, s.MappingValue):
        return tuple((key.value, item) for key, item in value.items)  # type: ignore[union-attr,misc]
    return tuple((word, s.PlainValue(number)) for number, word in enumerate(value.value.split(), 1))


def pairs(value: Any) -> Any:
    """``ConfigDict(...)`` or a dict as keyword arguments."""
    if isinstance(value, s.CallValue):
        return value.kwargs
    if isinstance(value, s.MappingValue):
        return tuple((key.value, item) for key, item in value.items if isinstance(key, s.PlainValue))
    return value


def text(node: ast.stmt | None) -> str | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value.value
    return None


def read(modules: Mapping[str, str]) -> dict[str, Reader]:
    """Modules, in an order in which each imports only earlier ones."""
    readers: dict[str, Reader] = {}
    for name, source in modules.items():
        readers[name] = Reader(name, source, readers)
    return readers
