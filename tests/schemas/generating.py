"""Random model modules: classes of every kind that mention each other, with random annotations and settings."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from tests.schemas.oracle_client import Case

SCALARS = (
    *("str", "int", "float", "bool", "bytes", "None", "Any", "object", "list", "dict", "tuple", "set", "List", "Dict"),
    *("datetime.datetime", "date", "timedelta", "uuid.UUID", "Decimal", "Path", "HttpUrl", "SecretStr", "Json"),
    *("PositiveInt", "NonNegativeFloat", "StrictStr", "constr(max_length=3)", "conint(gt=1)", "JsonValue"),
)
TEMPLATES = (
    "list[{}]",
    "List[{}]",
    "Optional[{}]",
    "Optional[{}]",
    "dict[str, {}]",
    "Mapping[int, {}]",
    "set[{}]",
    "tuple[{}, ...]",
    "Sequence[{}]",
    "Annotated[{}, 'text']",
    "Annotated[{}, Field(description='inner', title='Inner')]",
    "Annotated[{}, Field(gt=1)]",
    "Annotated[{}, Field(examples=[1], json_schema_extra={{'x': 1}})]",
    "Annotated[{}, MinLen(1)]",
    "Annotated[{}, BeforeValidator(lambda v: v)]",
    "Annotated[{}, WithJsonSchema({{'type': 'string'}})]",
    "SkipJsonSchema[{}]",
    "type[{}]",
)
LITERALS = ("'a'", "'a', 'b'", "1, 2", "'a', 1, None", "True")
DEFAULTS = (
    *("None", "1", "-2.5", "'text'", "True", "[]", "{}", "[1, 'a', None]", "{'b': 1, 'a': [2]}", "()", "(1, 2)"),
    *("{3, 1, 2}", "b'x'", "date(2026, 1, 2)", "Decimal('1.5')", "timedelta(seconds=90)", "Path('a/b')", "..."),
    *("frozenset()", "1e400", "{'x'}"),
)
FIELD_ARGUMENTS = (
    "description='Some text.'",
    "title='A title'",
    "alias='anAlias'",
    "validation_alias='validationAlias'",
    "serialization_alias='outAlias'",
    "examples=['x', 1]",
    "json_schema_extra={'z': 1, 'a': {'b': None}}",
    "deprecated=True",
    "exclude=True",
    "frozen=True",
    "strict=True",
    "gt=0",
    "le=10",
    "min_length=1",
    "max_length=7",
    "pattern='^a'",
    "repr=False",
    "validate_default=True",
    "description=None",
    "max_digits=4",
    "union_mode='left_to_right'",
)
SETTINGS = (
    "title='Set'",
    "extra='forbid'",
    "extra='allow'",
    "alias_generator=to_camel",
    "alias_generator=to_pascal",
    "populate_by_name=True",
    "use_enum_values=True",
    "json_schema_extra={'x-b': 1, 'x-a': [1]}",
    "arbitrary_types_allowed=True",
    "str_max_length=5",
    "ser_json_timedelta='float'",
    "frozen=True",
    "strict=True",
    "coerce_numbers_to_str=True",
    "validate_by_alias=False, validate_by_name=True",
    "serialize_by_alias=True",
)
FIELDS = ("a", "some_name", "aB", "x1", "type_", "kind", "URL")
DOCS = ('"""One line."""', '"""Two.\n\n        Indented\n          more.\n    """', "", "")


@st.composite
def modules(draw: st.DrawFn) -> Case:
    """A module of a few classes, and a question about the last of them or about an annotation that uses them."""
    names: list[str] = []
    models: list[str] = []
    lines: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        name = f"{draw(st.sampled_from(('Item', 'Thing', 'HTTPBox')))}{number}"
        kind = draw(st.sampled_from(("model", "model", "model", "model", *KINDS)))
        lines += KINDS[kind](draw, name, names if kind in UNNAMED else [*names, f'"{name}"'], models)
        if kind in GENERIC:
            argument = st.one_of(types([other for other in names if '"' not in other]), st.just("int"))
            names.append(f"{name}[{draw(argument)}]")
        else:
            names.append(name)
        if kind in ("model", "created"):
            models.append(name)
    target = draw(st.one_of(st.just(names[-1]), types(names)))
    mode = draw(st.sampled_from(("validation", "validation", "validation", "serialization")))
    return Case("\n".join(lines), target, mode=mode, by_alias=draw(st.sampled_from((None, None, True, False))))


def types(names: list[str]) -> st.SearchStrategy[str]:
    plain = st.sampled_from([*SCALARS, *names, *names])
    base = st.one_of(plain, st.sampled_from(LITERALS).map(lambda values: f"Literal[{values}]"))
    return st.recursive(base, _containers, max_leaves=4)


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    filled = st.tuples(st.sampled_from(TEMPLATES), inner).map(lambda pair: pair[0].format(pair[1]))
    unions = st.lists(inner, min_size=2, max_size=3).map(lambda options: f"Union[{', '.join(options)}]")
    return st.one_of(filled, filled, unions)


def _field_call(draw: st.DrawFn) -> str:
    arguments = draw(st.lists(st.sampled_from(FIELD_ARGUMENTS), max_size=3, unique_by=lambda text: text.split("=")[0]))
    default = draw(st.sampled_from(["", "...", "default_factory=list", *DEFAULTS]))
    return f"Field({', '.join(filter(None, [default, *arguments]))})"


def _default(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return ""
    return " = " + (draw(st.sampled_from(DEFAULTS)) if kind == 1 else _field_call(draw))


def _model(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:
    base = draw(st.sampled_from(["BaseModel", *models]))
    lines = [f"class {name}({base}):", f"    {draw(st.sampled_from(DOCS))}", "    pass"]
    if draw(st.integers(0, 3)) == 0:
        settings = draw(st.lists(st.sampled_from(SETTINGS), max_size=2, unique_by=lambda text: text.split("=")[0]))
        lines.append(f"    model_config = ConfigDict({', '.join(settings)})")
    for field in draw(st.lists(st.sampled_from(FIELDS), max_size=4, unique=True)):
        lines.append(f"    {field}: {draw(types(names))}{_default(draw)}")
        if draw(st.integers(0, 3)) == 0:
            lines.append('    """A string below."""')
        if draw(st.integers(0, 7)) == 0:
            mode = draw(st.sampled_from(("before", "after", "wrap")))
            handler = ", handler" if mode == "wrap" else ""
            lines += [
                f"    @field_validator('{field}', mode='{mode}')",
                "    @classmethod",
                f"    def check_{field}(cls, v{handler}): return v",
            ]
    return lines


def _enum(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    base = draw(st.sampled_from(("Enum", "str, Enum", "IntEnum", "int, Enum", "float, Enum")))
    values = {"Enum": ("1", "'b'", "None", "2.5"), "str, Enum": ("'a'", "'b'")}.get(base, ("1", "2"))
    chosen = draw(st.lists(st.sampled_from(values), min_size=1, max_size=3))
    lines = [f"class {name}({base}):", f"    {draw(st.sampled_from(DOCS))}"]
    return [*lines, *(f"    M{index} = {value}" for index, value in enumerate(chosen))]


def _dataclass(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    maker = draw(st.sampled_from(("@dataclass", "@dataclass(kw_only=True)", "@pydantic.dataclasses.dataclass")))
    lines = [maker, f"class {name}:", f"    {draw(st.sampled_from(DOCS))}", "    pass"]
    defaults = ("None", "1", "'x'", "dataclasses.field(default_factory=dict)", "Field(3, description='d')")
    given = False
    for field in draw(st.lists(st.sampled_from(FIELDS), max_size=3, unique=True)):
        given = given or draw(st.booleans())
        default = f" = {draw(st.sampled_from(defaults))}" if given else ""
        lines.append(f"    {field}: {draw(types(names))}{default}")
    return lines


def _typed_dict(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    total = draw(st.sampled_from(("", ", total=False")))
    lines = [f"class {name}(TypedDict{total}):", f"    {draw(st.sampled_from(DOCS))}", "    pass"]
    for field in draw(st.lists(st.sampled_from(FIELDS), max_size=3, unique=True)):
        form = draw(st.sampled_from(("{}", "Required[{}]", "NotRequired[{}]")))
        lines.append(f"    {field}: {form.format(draw(types(names)))}")
    return lines


def _generic(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    variable = f"T_{name}"
    lines = [_variable(draw, variable), f"class {name}(BaseModel, Generic[{variable}]):", "    pass"]
    others = [other for other in names if name not in other]
    for field in draw(st.lists(st.sampled_from(FIELDS), max_size=3, unique=True)):
        lines.append(f"    {field}: {draw(types([*others, variable, variable]))}{_default(draw)}")
    return lines


def _variable(draw: st.DrawFn, name: str) -> str:
    form = draw(
        st.sampled_from(
            (
                "TypeVar('{}')",
                "TypeVar('{}')",
                "TypeVar('{}', bound=object)",
                "TypeVar('{}', bound='Any')",
                "typing_extensions.TypeVar('{}', default=str)",
            )
        )
    )
    return f"{name} = {form.format(name)}"


def _other_generic(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    variable = f"T_{name}"
    head = draw(
        st.sampled_from(
            (
                f"@dataclass\nclass {name}(Generic[{variable}]):",
                f"class {name}(TypedDict, Generic[{variable}]):",
                f"class {name}(BaseModel, Generic[{variable}]):",
            )
        )
    )
    lines = [_variable(draw, variable), head]
    others = [other for other in names if name not in other]
    for field in draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3, unique=True)):
        lines.append(f"    {field}: {draw(types([*others, variable, variable]))}")
    return lines


def _alias(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    return [f"{name} = {draw(types(names))}"]


def _created(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:
    arguments = [f"'{name}'"]
    if models and draw(st.booleans()):
        arguments.append(f"__base__={draw(st.sampled_from(models))}")
    for field in draw(st.lists(st.sampled_from(FIELDS), max_size=3, unique=True)):
        default = draw(st.one_of(st.just("..."), st.sampled_from(DEFAULTS), st.just(None)))
        arguments.append(f"{field}=({draw(types(names))}, {_field_call(draw) if default is None else default})")
    return [f"{name} = create_model({', '.join(arguments)})"]


def _by_call(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    fields = draw(st.lists(st.sampled_from(("a", "in", "class", "some_name")), min_size=1, max_size=3, unique=True))
    kind = draw(st.integers(0, 2))
    if kind == 0:
        entries = ", ".join(f"'{field}': {draw(types(names))}" for field in fields)
        return [f"{name} = TypedDict('{name}', {{{entries}}}{draw(st.sampled_from(('', ', total=False')))})"]
    if kind == 1:
        return [f"{name} = Enum('{name}', {{'A': {draw(st.sampled_from(LITERALS[:2])).split(',')[0]}, 'B': 2}})"]
    return [f"{name} = Enum('{name}', 'X Y')"]


def _root(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    if draw(st.booleans()):
        return [
            f"class {name}(RootModel[{draw(types(names))}]):",
            f"    {draw(st.sampled_from(DOCS))}",
            "    pass",
        ]
    lines = [f"class {name}(RootModel):", f"    {draw(st.sampled_from(DOCS))}"]
    return [*lines, f"    root: {draw(types(names))}{_default(draw)}"]


def _tagged(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:  # noqa: ARG001
    lines = []
    for index, tag in enumerate(("cat", "dog")):
        lines += [
            f"class {name}_{index}(BaseModel):",
            f"    kind: Literal['{tag}']",
            f"    x: {draw(types(names))}",
        ]
    union = f"Union[{name}_0, {name}_1]"
    form = draw(
        st.sampled_from(("Annotated[{}, Field(discriminator='kind')]", "Annotated[{}, Discriminator('kind')]", "{}"))
    )
    return [*lines, f"class {name}(BaseModel):", f"    pet: {form.format(union)}{_default(draw)}"]


def _computed(draw: st.DrawFn, name: str, names: list[str], models: list[str]) -> list[str]:
    lines = _model(draw, name, names, models)
    options = draw(st.sampled_from(("", "", "(title='T')", "(description='d', alias='theArea')", "(deprecated=True)")))
    returns = draw(types([other for other in names if '"' not in other]))
    doc = draw(st.sampled_from(DOCS))
    lines += [f"    @computed_field{options}", "    @property", f"    def area(self) -> {returns}:"]
    return [*lines, f"        {doc}", "        return 1"]


UNNAMED = frozenset({"alias", "created", "by_call", "other_generic", "root"})
"""Kinds that are made here without a mention of themselves."""

GENERIC = frozenset({"generic", "other_generic"})

KINDS: dict[str, Callable[[st.DrawFn, str, list[str], list[str]], list[str]]] = {
    "model": _model,
    "enum": _enum,
    "dataclass": _dataclass,
    "typed_dict": _typed_dict,
    "generic": _generic,
    "other_generic": _other_generic,
    "alias": _alias,
    "created": _created,
    "by_call": _by_call,
    "root": _root,
    "tagged": _tagged,
    "computed": _computed,
}
