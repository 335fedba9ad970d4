"""Read ``setup.cfg`` and ``setup.py`` for what they package; neither is ever run, and neither is edited."""

from __future__ import annotations

import ast
import configparser
from collections.abc import Iterable, Mapping

from pdmigrate.model import JsonValue
from pdmigrate.project.shipping.model import Addition, strings
from pdmigrate.project.shipping.setuptools_layout import Find, SetuptoolsLayout, globs
from pdmigrate.source.limits import is_too_much

_DECISIVE = ("packages", "py_modules", "package_dir", "package_data", "include_package_data")


class UnclearError(Exception):
    """What a file packages cannot be known without running it; the message says why."""


class _SetupConfig(configparser.RawConfigParser):
    """Keys as they are written, as setuptools reads them: some are names of packages."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def from_config(text: str) -> SetuptoolsLayout | None:
    """The layout of ``setup.cfg``; ``None`` if the file does not decide it.

    Raises:
        UnclearError: the file cannot be read.
    """
    parser = _SetupConfig()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise UnclearError(f"setup.cfg cannot be read: {str(error).splitlines()[0]}") from error
    options = _section(parser, "options")
    if not any(key in options for key in _DECISIVE) and not parser.has_section("options.package_data"):
        return None
    packages = options.get("packages", "").strip()
    found: tuple[str, ...] | Find | None = _words(packages) or None
    if packages in ("find:", "find_namespace:"):
        find = _section(parser, "options.packages.find")
        found = Find(
            _words(find.get("where", "")) or (".",),
            _words(find.get("include", "")) or ("*",),
            _words(find.get("exclude", "")),
            packages == "find_namespace:",
        )
    pairs = (word.partition("=") for word in _words(options.get("package_dir", "")))
    return SetuptoolsLayout(
        found,
        _words(options["py_modules"]) if "py_modules" in options else None,
        {name.strip(): folder.strip() for name, _, folder in pairs},
        globs({name: list(_words(value)) for name, value in _section(parser, "options.package_data").items()}),
        globs({name: list(_words(value)) for name, value in _section(parser, "options.exclude_package_data").items()}),
        _truth(options.get("include_package_data")),
    )


def _section(parser: configparser.RawConfigParser, name: str) -> dict[str, str]:
    """A section with underscores in its keys, as setuptools reads them; names of packages keep their dashes."""
    if not parser.has_section(name):
        return {}
    data = name.endswith("package_data")
    return {(key if data else key.replace("-", "_")): value for key, value in parser.items(name)}


def _truth(value: str | None) -> bool | None:
    return None if value is None else value.strip().lower() in ("true", "1", "yes")


def _words(value: str) -> tuple[str, ...]:
    """The items of a list in ``setup.cfg``: one a line, or separated by commas."""
    parts = value.splitlines() if "\n" in value else value.split(",")
    return tuple(part.strip() for part in parts if part.strip() and not part.strip().startswith("#"))


def from_script(text: str) -> SetuptoolsLayout | None:
    """The layout of ``setup.py``; ``None`` if the file does not decide it.

    Raises:
        UnclearError: the file computes what it packages, or cannot be parsed.
    """
    if is_too_much(text.encode("utf-8", "replace")):
        raise UnclearError("setup.py is too large to parse: too many lines, names and values in one file")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise UnclearError(f"setup.py is not valid Python: {error}") from error
    call = next((node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node.func) == "setup"), None)
    if call is None:
        return None
    if any(keyword.arg is None for keyword in call.keywords):
        raise UnclearError(f"setup.py:{call.lineno} takes its arguments from a dictionary")
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg in _DECISIVE}
    if not given:
        return None
    folders = _literal(given.get("package_dir"), {})
    modules = _literal(given.get("py_modules"), None)
    return SetuptoolsLayout(
        _packages(given.get("packages")),
        strings(modules) if modules is not None else None,
        {str(key): str(value) for key, value in folders.items()} if isinstance(folders, dict) else {},
        globs(_literal(given.get("package_data"), {})),
        {},
        value if isinstance(value := _literal(given.get("include_package_data"), None), bool) else None,
    )


def _packages(node: ast.expr | None) -> tuple[str, ...] | Find | None:
    if node is None:
        return None
    if not (isinstance(node, ast.Call) and _name(node.func) in ("find_packages", "find_namespace_packages")):
        return strings(_literal(node, []))
    named = [*zip(("where", "exclude", "include"), node.args, strict=False)]
    named += [(keyword.arg or "", keyword.value) for keyword in node.keywords]
    arguments = {name: _literal(value, None) for name, value in named}
    return Find(
        strings(arguments.get("where")) or (".",),
        strings(arguments.get("include")) or ("*",),
        strings(arguments.get("exclude")),
        _name(node.func) == "find_namespace_packages",
    )


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _literal(node: ast.expr | None, default: JsonValue) -> JsonValue:
    if node is None:
        return default
    try:
        value: JsonValue = ast.literal_eval(node)
    except (TypeError, ValueError) as error:
        raise UnclearError(f"setup.py:{node.lineno} computes what is packaged") from error
    return value


# --- what to add, in the words of the file ----------------------------------------------------------------------------


def config_lines(additions: Iterable[Addition]) -> str:
    """The additions as sections of ``setup.cfg``."""
    sections: dict[str, list[str]] = {}
    for name, key, items in _settings(additions):
        section, option = {
            "package_data": ("options.package_data", key),
            "find": ("options.packages.find", key),
        }.get(name, ("options", name))
        sections.setdefault(section, []).append(f"{option} = {', '.join(items)}")
    return "\n".join(f"[{section}]\n" + "\n".join(lines) for section, lines in sections.items())


def script_lines(additions: Iterable[Addition]) -> str:
    """The additions as arguments of ``setup()``."""
    arguments: dict[str, list[str]] = {}
    for name, key, items in _settings(additions):
        listed = ", ".join(f'"{item}"' for item in items)
        if name == "package_data":
            arguments.setdefault(name, []).append(f'"{key}": [{listed}]')
        elif name == "find":
            arguments["packages"] = [f"find_packages({key}=[{listed}])"]
        else:
            arguments.setdefault(name, []).append(listed)
    shapes: Mapping[str, str] = {"package_data": "{{{}}}", "py_modules": "[{}]", "packages": "[{}]"}
    texts = ((name, ", ".join(values)) for name, values in arguments.items())
    return "\n".join(
        f"{name}={text if text.startswith('find_') else shapes[name].format(text)}," for name, text in texts
    )


def _settings(additions: Iterable[Addition]) -> list[tuple[str, str, tuple[str, ...]]]:
    """``(setting, key, items)`` of each addition to ``[tool.setuptools]``."""
    result = []
    for addition in additions:
        _, _, name, *rest = addition.path
        setting = "find" if rest and rest[0] == "find" else name.replace("-", "_")
        result.append((setting, rest[-1] if rest else "", strings(addition.value)))
    return result
