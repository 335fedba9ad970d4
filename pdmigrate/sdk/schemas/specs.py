"""Descriptions of types: what the source says of a type, as immutable data, before anything is built from it.

Specs hold no syntax and no types: two specs of one class are equal data.

* An object of a library is named as it was imported: ``NameSpec("builtins.str")``, ``NameSpec("pydantic.HttpUrl")``.
  A name that is not in ``catalogue`` becomes unknown when the type is built.
* A class that the target's source defines is a class spec, nested in place wherever it is used; where nesting would not
  end (a class that mentions itself), it is unknown.
* An unknown type or value is an ``UnknownSpec`` at the innermost place: whether it matters for the schema is decided
  when the type is built (a default factory, a validator's function and ``repr=`` do not matter).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pdmigrate.model import Site


@dataclass(frozen=True, slots=True)
class UnknownSpec:
    """A type or a value that the source does not settle: why, and where; ``code`` is a finding code (``PD3xx``)."""

    reason: str
    code: str
    site: Site | None = None
    endless: bool = False
    """Whether it is a type that holds itself, on which some releases of an SDK fail when they list."""


@dataclass(frozen=True, slots=True)
class NameSpec:
    """An object of the standard library or of pydantic by its full dotted name: a type, a base class, a function."""

    name: str


ANY = NameSpec("typing.Any")
NONE = NameSpec("builtins.None")
ELLIPSIS = NameSpec("builtins.Ellipsis")


@dataclass(frozen=True, slots=True)
class PlainValue:
    """A scalar."""

    value: bool | int | float | complex | str | bytes | None


@dataclass(frozen=True, slots=True)
class ItemsValue:
    """A collection.  ``kind``: ``list`` | ``tuple`` | ``set`` | ``frozenset``."""

    kind: str
    items: tuple[ValueSpec, ...]


@dataclass(frozen=True, slots=True)
class MappingValue:
    """A dict, in its order."""

    items: tuple[tuple[ValueSpec, ValueSpec], ...]


@dataclass(frozen=True, slots=True)
class MemberValue:
    """A member of an enum of the target: ``Color.RED``."""

    enum: EnumSpec
    name: str


@dataclass(frozen=True, slots=True)
class CallValue:
    """A call of a library's callable, which stands for a type, for metadata of ``Annotated``, for a default or a value.

    ``callee`` is a name as in ``NameSpec``.  Functions that are passed as arguments are never called.
    """

    callee: str
    args: tuple[ValueSpec, ...] = ()
    kwargs: Arguments = ()


@dataclass(frozen=True, slots=True)
class CodeValue:
    """A function or lambda of the target, passed to a call that takes a function.

    It is never called: a part of a schema for which pydantic would call it is not known.
    """


@dataclass(frozen=True, slots=True)
class SubscriptSpec:
    """``base[args]``: ``list[int]``, ``tuple[int, ...]`` (``ELLIPSIS``), ``Page[Item]``, ``Json[X]``.

    ``base`` is a ``NameSpec`` or a generic class of the target.  ``tuple[()]`` has no ``args``.  ``Literal``,
    ``Annotated`` and ``|`` have specs of their own.  The argument list of ``Callable[[A, B], C]`` is an ``ItemsValue``.
    """

    base: TypeSpec
    args: tuple[ValueSpec, ...]


@dataclass(frozen=True, slots=True)
class UnionSpec:
    """``A | B`` and ``Union[A, B]``, in order; ``Optional[A]`` is ``UnionSpec((A, NONE))``."""

    options: tuple[TypeSpec, ...]


@dataclass(frozen=True, slots=True)
class LiteralSpec:
    """``Literal["a", 1, Color.RED]``."""

    values: tuple[ValueSpec, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedSpec:
    """``Annotated[base, *metadata]``.  Metadata are values: ``CallValue("pydantic.Field", ...)``, a plain string."""

    base: TypeSpec
    metadata: tuple[ValueSpec, ...]


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One name of a class body that has an annotation or a value, in the order of the body.

    ``annotation`` is ``None`` for ``x = value``; ``default`` is ``None`` for ``x: T``, else the value as written, with
    ``Field(...)`` as a ``CallValue``.  Class variables and private names are fields, too: building the class leaves
    them out.
    """

    name: str
    annotation: TypeSpec | None
    default: ValueSpec | None = None
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """One function of a class body, with its decorators from the outermost in.

    A decorator is a ``NameSpec`` (``@property``), a ``CallValue`` (``@field_validator("a", mode="before")``) or an
    ``UnknownSpec``.
    """

    name: str
    decorators: tuple[ValueSpec, ...] = ()
    site: Site | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClassSpec:
    """The attributes that all classes of the target share.

    ``module`` is the ``__name__`` of the module (``pkg.models``; empty if it is not known) and ``qualname`` the
    ``__qualname__`` (default: ``name``), which pydantic uses to tell classes of one name apart.  ``doc`` is the
    docstring as ``__doc__`` would be, not dedented.  ``decorators`` are the class's decorators without the one that its
    kind implies.  ``identity`` tells two classes of one name in one module apart (default: ``module:name``).
    """

    name: str
    module: str
    qualname: str = ""
    doc: str | None = None
    decorators: tuple[ValueSpec, ...] = ()
    methods: tuple[MethodSpec, ...] = ()
    identity: str = ""

    @property
    def key(self) -> str:
        return self.identity or f"{self.module}:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec(_ClassSpec):
    """A pydantic model: a class with ``BaseModel``, ``RootModel[...]`` or another model among its bases.

    ``bases`` in order, with ``SubscriptSpec(NameSpec("typing.Generic"), ...)`` where it stands.  ``config`` is the
    content of ``model_config`` (an ``UnknownSpec`` if that is not known), ``config_class`` the attributes of an inner
    ``class Config``, ``keywords`` the keywords of the class statement (``extra="forbid"``).  ``create_model`` makes the
    same spec (its fields in order, ``__base__`` as base).
    """

    bases: tuple[TypeSpec, ...] = (NameSpec("pydantic.BaseModel"),)
    fields: tuple[FieldSpec, ...] = ()
    config: Arguments | UnknownSpec | None = None
    config_class: Arguments | UnknownSpec | None = None
    keywords: Arguments = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DataclassSpec(_ClassSpec):
    """A class decorated as a dataclass.

    ``maker`` is the name of the decorator: ``dataclasses.dataclass`` or ``pydantic.dataclasses.dataclass``; ``options``
    are its arguments.
    """

    maker: str = "dataclasses.dataclass"
    options: Arguments = ()
    bases: tuple[TypeSpec, ...] = ()
    fields: tuple[FieldSpec, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedDictSpec(_ClassSpec):
    """A ``TypedDict``, as class or call.  ``bases`` are other typed dicts (and ``Generic[...]``).

    ``refused``: pydantic refuses the class, as it does those of ``typing`` before Python 3.12; ``None`` if the version
    is not known.
    """

    bases: tuple[TypeSpec, ...] = ()
    fields: tuple[FieldSpec, ...] = ()
    total: bool = True
    keywords: Arguments = ()
    refused: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumSpec(_ClassSpec):
    """An enum.  ``bases`` as written (``builtins.str`` and ``enum.Enum``); members in order, aliases included."""

    bases: tuple[TypeSpec, ...] = (NameSpec("enum.Enum"),)
    members: tuple[tuple[str, ValueSpec], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainClassSpec(_ClassSpec):
    """Any other class of the target, of which nothing is built: pydantic does not know it."""

    bases: tuple[TypeSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """One parameter of a function.

    ``kind`` is the name of the kind in ``inspect.Parameter``: ``POSITIONAL_ONLY``, ``POSITIONAL_OR_KEYWORD``,
    ``VAR_POSITIONAL``, ``KEYWORD_ONLY`` or ``VAR_KEYWORD``.  ``annotation`` and ``default`` are ``None`` if none is
    written; a default that is written ``None`` is ``PlainValue(None)``.
    """

    name: str
    kind: str = "POSITIONAL_OR_KEYWORD"
    annotation: TypeSpec | None = None
    default: ValueSpec | None = None
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """A function of the target as an SDK's ``inspect`` would see it when it is registered as a tool.

    ``name`` is ``__name__``; ``doc`` is ``__doc__``, not dedented, or why that is unknown; ``inherited`` is what
    ``inspect.getdoc`` finds where there is none.  A bound method comes
    without its first parameter, a ``functools.wraps`` wrapper with the signature that ``inspect.signature`` reports.
    ``late``: its annotations are text at run time (``from __future__ import annotations``); ``None`` if only some are,
    or if that is not known.  ``hinted``: whether ``__annotations__`` covers all annotations of the signature, which a
    program may set separately.  ``signed`` is the result in a signature that is set, and may differ from ``returns``.
    """

    name: str
    module: str
    parameters: tuple[ParameterSpec, ...] = ()
    returns: TypeSpec | None = None
    doc: str | UnknownSpec | None = None
    inherited: str | UnknownSpec | None = None
    is_async: bool = False
    site: Site | None = None
    late: bool | None = None
    hinted: bool = True
    signed: TypeSpec | None = None


ClassSpec: TypeAlias = ModelSpec | DataclassSpec | TypedDictSpec | EnumSpec | PlainClassSpec
TypeSpec: TypeAlias = (
    NameSpec | SubscriptSpec | UnionSpec | LiteralSpec | AnnotatedSpec | CallValue | ClassSpec | UnknownSpec
)
ValueSpec: TypeAlias = PlainValue | ItemsValue | MappingValue | MemberValue | CodeValue | TypeSpec
"""A type is a value too: ``json_schema_input_type=int``, ``default_factory=list``."""

Arguments: TypeAlias = tuple[tuple[str, ValueSpec], ...]
"""Keyword arguments, or the entries of a dict with string keys, in order."""
