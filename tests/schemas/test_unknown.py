"""What is not known makes a schema unknown where it bears on it, with its place, and nowhere else."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, create_model
from pydantic.fields import FieldInfo

from pdmigrate.model import Known, Site, Unknown
from pdmigrate.sdk.schemas import agrees, json_schema, model_fields
from pdmigrate.sdk.schemas import specs as s
from pdmigrate.sdk.schemas.unsettled import UnsettledError, refusing
from tests.schemas.cases import fields
from tests.schemas.comparing import ours
from tests.schemas.oracle_client import Case

SITE = Site("server.py", 7)
MYSTERY = s.UnknownSpec("read from a file", "PD303", SITE)
STR = s.NameSpec("builtins.str")
INT = s.NameSpec("builtins.int")


def model(*fields: s.FieldSpec, **more: object) -> s.ModelSpec:
    return s.ModelSpec(name="M", module="server", fields=fields, **more)  # type: ignore[arg-type]


def field_call(**arguments: s.ValueSpec) -> s.CallValue:
    return s.CallValue("pydantic.Field", (), tuple(arguments.items()))


def with_x(annotation: s.TypeSpec, default: s.ValueSpec | None = None) -> s.ModelSpec:
    return model(s.FieldSpec("x", annotation, default))


POISONED = {
    "a default": (with_x(STR, MYSTERY), "properties.x.default"),
    "a part of a default": (with_x(STR, s.ItemsValue("list", (s.PlainValue(1), MYSTERY))), "properties.x.default"),
    "an annotation": (with_x(MYSTERY), "properties.x"),
    "the type in a list": (with_x(s.SubscriptSpec(s.NameSpec("typing.List"), (MYSTERY,))), "properties.x"),
    "an option of a union": (with_x(s.UnionSpec((MYSTERY, s.NONE))), "properties.x"),
    "a value of a literal": (with_x(s.LiteralSpec((s.PlainValue("a"), MYSTERY))), "properties.x"),
    "metadata": (with_x(s.AnnotatedSpec(INT, (MYSTERY,))), "properties.x"),
    "a description": (with_x(STR, field_call(description=MYSTERY)), "properties.x.description"),
    "a default in Field": (with_x(STR, s.CallValue("pydantic.Field", (MYSTERY,))), "properties.x.default"),
    "the rest of the arguments of Field": (with_x(STR, field_call(**{"**": MYSTERY})), "properties.x.**"),
    "a field under its alias": (
        with_x(STR, field_call(alias=s.PlainValue("theX"), title=MYSTERY)),
        "properties.theX.title",
    ),
    "a base class": (model(bases=(MYSTERY,)), ""),
    "the settings": (model(config=MYSTERY), ""),
    "one setting": (model(config=(("title", MYSTERY),)), "title"),
    "a decorator of the class": (model(decorators=(MYSTERY,)), ""),
    "a decorator of a method": (model(methods=(s.MethodSpec("check", (MYSTERY,)),)), ""),
    "an attribute without annotation": (model(s.FieldSpec("_check", None, MYSTERY)), ""),
}


@pytest.mark.parametrize("what", POISONED)
def test_an_unknown_part_makes_the_schema_unknown_with_its_reason_and_path(what: str) -> None:
    spec, path = POISONED[what]
    said = json_schema(spec)
    assert isinstance(said, Unknown)
    assert (said.reason, said.code, said.site, said.path) == ("read from a file", "PD303", SITE, path)
    assert isinstance(model_fields(spec), Unknown)


HARMLESS = {
    "a default factory": with_x(STR, field_call(default_factory=MYSTERY)),
    "a class variable": with_x(s.SubscriptSpec(s.NameSpec("typing.ClassVar"), (MYSTERY,)), MYSTERY),
    "a private attribute": model(s.FieldSpec("_x", MYSTERY, MYSTERY)),
    "a computed field": model(methods=(s.MethodSpec("m", (s.NameSpec("pydantic.computed_field"),)),)),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_an_unknown_part_that_no_schema_depends_on_does_no_harm(what: str) -> None:
    assert isinstance(json_schema(HARMLESS[what]), Known)


def test_an_unknown_part_of_a_nested_class_is_found_through_the_field() -> None:
    inner = s.ModelSpec(name="Inner", module="server", fields=(s.FieldSpec("y", INT, MYSTERY),))
    said = json_schema(with_x(s.UnionSpec((inner, s.NONE))))
    assert isinstance(said, Unknown)
    assert said.path == "properties.x.properties.y.default"


FUNCTIONS = {
    "def __get_pydantic_core_schema__(cls, source, handler): return handler(source)": "@classmethod",
    "def __get_pydantic_json_schema__(cls, schema, handler): return {}": "@classmethod",
    "def __pydantic_init_subclass__(cls, **kwargs): pass": "@classmethod",
    "def model_json_schema(cls, *args, **kwargs): return {}": "@classmethod",
    "def check(cls, v): return v": '@field_validator("a", mode="plain")',
    "def check(cls, value): return value": '@field_validator("a", mode="before", json_schema_input_type=str)',
}
DECIDED = [
    *(
        Case(f"class B(BaseModel):\n    a: int\n    {decorator}\n    {function}\nclass M(B):\n    b: int\n", target)
        for function, decorator in FUNCTIONS.items()
        for target in ("B", "M")
    ),
    *(
        fields(f"model_config = ConfigDict({setting})\na: int")
        for setting in (
            *("json_schema_extra=lambda schema: schema.clear()", 'json_schema_extra={"x": Decimal("1")}'),
            *("alias_generator=lambda name: name.upper()", "use_attribute_docstrings=True"),
            "schema_generator=pydantic.json_schema.GenerateJsonSchema",
        )
    ),
    *(
        fields(line)
        for line in (
            *('a: set[str] = {"x", "y"}', "a: frozenset[int] = frozenset([8, 0])", "a: float = 1e999"),
            *('x: Annotated[int, deprecated("x is old")] = 1', 'a: TypedDict("A", {"in": int}) = None'),
            *('a: dict[str, Any] = {"x": [{1.5, 2.5}]}', "a: List[Union[int, str]]\nb: List[Union[str, int]]"),
        )
    ),
    Case("class B(BaseModel):\n    class Config:\n        use_attribute_docstrings = True\nclass M(B):\n    a: int"),
    Case('M = create_model("M", x=(int, 3), y=(Optional[str], Field(None, title="y")))'),
    Case('@deprecated("old")\nclass M(BaseModel):\n    a: int\n'),
    Case("@pydantic.dataclasses.dataclass(config=ConfigDict(json_encoders={int: str}))\nclass M:\n    a: int = 3\n"),
    Case("class Meta(type(BaseModel)): pass\nclass M(BaseModel, metaclass=Meta):\n    a: int\n"),
    Case("def tweak(cls): return cls\n@tweak\nclass M(BaseModel):\n    a: int\n"),
    Case("class Page(BaseModel, Generic[T]):\n    items: list[T]\nclass M(BaseModel):\n    a: Page[int]\n"),
    Case("@dataclass\nclass Box(Generic[T]):\n    value: T\nclass M(BaseModel):\n    a: Box[int]\n"),
]


def test_what_only_typing_of_a_newer_python_has_is_known() -> None:
    said = ours(Case("from typing import ReadOnly\nclass M(TypedDict):\n    a: ReadOnly[int]\n"))
    assert isinstance(said, Known)
    assert said.value["properties"] == {"a": {"title": "A", "type": "integer"}}


@pytest.mark.parametrize("case", DECIDED, ids=lambda case: f"{case.source} {case.target}")
def test_what_code_of_the_program_decides_is_not_known(case: Case) -> None:
    said = ours(replace(case, source=f'T = TypeVar("T")\n{case.source}'))
    assert isinstance(said, Unknown)
    assert said.code in {"PD301", "PD307", "PD340", "PD341", "PD342", "PD343", "PD344"}
    assert said.reason


@pytest.mark.parametrize(
    "body",
    [
        "@computed_field(title='T')\n@property\ndef double(self) -> int: return 2",
        *('@field_serializer("a")\ndef out(self, v): return str(v)', "@model_serializer\ndef out(self): return {}"),
        "b: Annotated[int, PlainSerializer(str)]",
    ],
)
def test_serializers_matter_only_to_the_serialized_form(body: str) -> None:
    assert isinstance(ours(fields(f"a: int\n{body}")), Known)
    assert isinstance(ours(fields(f"a: int\n{body}", mode="serialization")), Unknown)


def test_a_name_of_another_module_is_never_imported() -> None:
    spec = s.NameSpec("antigravity.fly")
    assert isinstance(json_schema(spec, adapted=True), Unknown)
    assert "antigravity" not in sys.modules


def test_no_function_of_a_library_outside_the_catalogue_is_called() -> None:
    for callee in ("os.system", "builtins.eval", "builtins.open", "pathlib.Path.home", "pydantic.create_model"):
        said = json_schema(s.CallValue(callee, (s.PlainValue("x"),)), adapted=True)
        assert isinstance(said, Unknown), callee


def test_building_leaves_modules_and_warnings_as_they_were() -> None:
    modules, filters = set(sys.modules), list(warnings.filters)
    spec = s.ModelSpec(name="M", module="server_of_someone", fields=(s.FieldSpec("model_x", INT, s.PlainValue("x")),))
    assert isinstance(json_schema(spec), Known)
    assert not {name for name in set(sys.modules) - modules if name.startswith("server_of_someone")}
    assert list(warnings.filters) == filters


def test_a_class_is_known_by_its_identity_and_not_by_its_name() -> None:
    first = s.ModelSpec(name="Item", module="server", fields=(s.FieldSpec("a", INT),), identity="server:Item@3")
    second = s.ModelSpec(name="Item", module="server", fields=(s.FieldSpec("b", INT),), identity="server:Item@9")
    said = json_schema(model(s.FieldSpec("x", first), s.FieldSpec("y", second)))
    assert isinstance(said, Known)
    assert isinstance(said.value, dict)
    assert set(said.value["$defs"]) == {"server__Item__1", "server__Item__2"}  # type: ignore[arg-type]


def test_the_fields_of_a_model_are_those_that_pydantic_finds() -> None:
    class M(BaseModel):
        a: int
        b: str = Field("default", description="description", alias="alias")
        c: list[int] = Field(default_factory=list, title="title", max_length=3)
        d: int | None = None

    texts = {name: s.PlainValue(name) for name in ("default", "description", "alias", "title")}
    described = model(
        s.FieldSpec("a", INT),
        s.FieldSpec("b", STR, field_call(**{name: texts[name] for name in ("default", "description", "alias")})),
        s.FieldSpec(
            "c",
            s.SubscriptSpec(s.NameSpec("builtins.list"), (INT,)),
            field_call(default_factory=s.NameSpec("builtins.list"), title=texts["title"], max_length=s.PlainValue(3)),
        ),
        s.FieldSpec("d", s.UnionSpec((INT, s.NONE)), s.PlainValue(None)),
    )
    said = model_fields(described)
    assert not isinstance(said, Unknown)

    def asked(found: Mapping[str, FieldInfo]) -> list[object]:
        return [
            (name, field.is_required(), field.default, field.title, field.description, field.alias, str(field.metadata))
            for name, field in found.items()
        ]

    assert asked(said) == asked(M.model_fields)


def test_a_model_is_asked_for_its_schema_under_another_ref_template() -> None:
    inner = s.ModelSpec(name="Inner", module="server")
    said = json_schema(with_x(inner), ref_template="#/components/{model}")
    assert isinstance(said, Known)
    assert "#/components/Inner" in str(said.value)


def test_what_is_no_model_has_no_model_json_schema() -> None:
    assert isinstance(json_schema(s.DataclassSpec(name="D", module="server")), Unknown)


def test_models_that_nest_each_other_deeply_take_no_exponential_time() -> None:
    inner: s.ModelSpec = s.ModelSpec(name="M0", module="server")
    for number in range(1, 40):
        fields = tuple(s.FieldSpec(name, inner) for name in ("a", "b", "c"))
        inner = s.ModelSpec(name=f"M{number}", module="server", fields=fields)
    said = json_schema(inner)
    assert isinstance(said, Known)
    assert agrees("2.11.0", inner) is True


@pytest.mark.parametrize(
    "source",
    [
        "class M(BaseModel):\n    children: 'list[M]' = []\n",
        "class A(BaseModel):\n    b: 'B'\nclass B(BaseModel):\n    a: 'A'\nclass M(BaseModel):\n    a: A\n",
        "@dataclass\nclass N:\n    next: Optional['N'] = None\nclass M(BaseModel):\n    node: N\n",
        "class Mixin:\n    shared: int = 3\nclass M(Mixin, BaseModel):\n    own: str\n",
        "@unique\nclass E(Enum):\n    A = 'a'\nclass M(BaseModel):\n    e: E\n",
        "class M(BaseModel):\n    a: Annotated[int, WrapValidator(lambda v, h: h(v))] = 3\n",
    ],
    ids=["itself", "each other", "a dataclass", "a mixin", "a decorator", "a validator around"],
)
def test_a_class_that_is_not_followed_is_unknown(source: str) -> None:
    assert isinstance(ours(Case(source)), Unknown)


_ODD: dict[str, Any] = {"gt": "x"}


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        (Annotated[str, Field(pattern="([")], "invalid pattern `([`: unclosed character class"),
        (Annotated[int, Field(**_ODD)], "'gt' must be coercible to an integer"),
        (range, "pydantic has no schema for `range`"),
        (Callable[[int], int], "pydantic has no schema for `Callable`"),
    ],
)
def test_a_refusal_of_pydantic_is_said_without_the_names_of_its_parts(annotation: object, said: str) -> None:
    with pytest.raises(UnsettledError) as caught, refusing("refused"):
        create_model("Model", field=(annotation, ...)).model_json_schema()
    assert caught.value.reason == f"refused: {said}"
