# ruff: noqa: E501 - most sources stand in one line
"""What modules of random programs have, and what they do to each other: ``{log}`` is called with a text.

``{j}`` is the number of a module and ``{d}`` its dotted name, ``{M}`` means it; ``{e}``, ``{inner}`` and ``{k}`` are the dotted
name of another module, its last part, and its number; ``{n}`` is a new name, ``{v}`` a text.
"""

from __future__ import annotations

import re

PARTS = {
    "NAME": "NAME{j} = 'n{j}'",
    "ITEMS": "ITEMS{j} = ['i{j}']",
    "_OWN": "_OWN{j} = 'o{j}'",
    "FLAG": "FLAG{j} = {flag}",
    "add": "def add{j}(x='d{j}'):\n    ITEMS{j}.append(x)\n    return x",
    "put": "def put{j}(x):\n    global NAME{j}\n    NAME{j} += x\n    return NAME{j}",
    "reg": "def reg{j}(fn):\n    ITEMS{j}.append(fn.__name__)\n    return fn",
    "Kind": "class Kind{j}:\n    items = []\n    text = 'k{j}'\n    def __init_subclass__(cls): cls.items.append(cls.__name__)",
    "kept": "def kept{j}(x=NAME{j}, seen=[]):\n    seen.append(x)\n    return '+'.join(seen)",
    "late": "def late{j}():\n    return NAME{j} + '-'.join(ITEMS{j})",
}
"""What a module has: ``{j}`` is its number."""
USES = (
    "{log}({NAME})",
    "{log}({NAME})",
    "{log}('-'.join({ITEMS}))",
    "{log}({_OWN})",
    "{log}({late}())",
    "{log}({put}({v}))",
    "{log}({add}())",
    "{add}({v})",
    "{log}({kept}())",
    "@{reg}\ndef {n}(): pass",
    "class {n}({Kind}): text = {v}",
    "class {n}({Kind}):\n    text = {NAME}\n{log}({n}.text)",
    "{log}({Kind}.text)",
    "{log}('-'.join({Kind}.items))",
    "{Kind}.text = {v}",
    "{Kind}.items.append({v})",
    "{Kind}.items = [{v}]",
    "{ITEMS}.append({v})",
    "{ITEMS} += [{v}]",
    "{ITEMS}[:] = [{v}]",
    "del {ITEMS}[:1]",
    "def {n}(x={NAME}): return x\n{log}({n}())",
    "{n} = {late}\n{log}({n}())",
    "if {FLAG}: {log}({v})",
    "{NAME} = {v}\n{log}({late}())",
    "for {n} in {ITEMS}: {log}({n})",
)
"""What is done with names of a module that another one imports; ``{n}`` is a new name, ``{v}`` a text."""
OF_MODULES = (
    "{M}.NAME{j} = {v}",
    "{M}.NAME{j} = {v}",
    "{M}.NAME{j} += {v}",
    "{M}.ITEMS{j} = [{v}]",
    "{M}.NEW{j} = {v}",
    "{log}(getattr({M}, 'NEW{j}', 'none'))",
    "{log}(getattr({M}, 'late{j}', str)())",
    "{log}({M}.NAME{j} if hasattr({M}, 'NAME{j}') else 'none')",
    "setattr({M}, 'NAME{j}', {v})",
    "del {M}.NAME{j}",
    "del {M}.NAME{j}\n{log}(getattr({M}, 'NAME{j}', 'none'))",
    "{log}({M}.__name__)",
    "{M}.put{j} = lambda x: x",
    "{M}.late{j} = lambda: {v}",
    "{log}('same' if {M} is sys.modules.get('{d}') else 'other')",
    "importlib.reload({M})",
    "for {n} in ({M},): {n}.NAME{j} = {v}",
    "def {n}(m): m.NAME{j} = {v}\n{n}({M})",
    "{n} = {M}\n{n}.NAME{j} = {v}",
    "with suppress(AttributeError): {log}({M}.{inner}.NAME{k})",
    "{log}('has' if hasattr({M}, '{inner}') else 'has not')",
)
"""What is done with a module itself; ``{d}`` is its dotted name, ``{inner}`` the last name of another one, ``{k}`` its number."""
ALONE = (
    "{log}('in' if '{d}' in sys.modules else 'out')",
    "importlib.import_module('{d}')",
    "for {n} in ('{d}', '{e}'): importlib.import_module({n})",
    "for {n} in ('{d}', '{e}'):\n    with suppress(ImportError):\n        {log}(importlib.import_module({n}).__name__)",
    "{log}(importlib.import_module('{d}').NAME{j})",
    "sys.modules['{d}'].NAME{j} = {v}",
    "if '{d}' in sys.modules: sys.modules['{d}'].NAME{j} = {v}",
    "sys.modules.pop('{d}', None)\nimport {d}",
    "__import__('{d}')",
)
IN_PACKAGES = (
    "importlib.import_module('.{inner}', package='{package}')",
    "{log}(importlib.import_module('.{inner}', '{package}').__name__)",
    "import {package}\nfor {n} in pkgutil.iter_modules({package}.__path__):\n    if {n}.name != 'main': importlib.import_module('{package}.' + {n}.name)",
    "import {package}\nwith suppress(AttributeError): {log}({package}.{inner}.NAME{k})",
    "import {package}\n{log}('has' if hasattr({package}, '{inner}') else 'has not')",
    "with suppress(ImportError):\n    from {package} import {inner} as {n}\n    {log}(getattr({n}, '__name__', 'text'))",
)
CONDITIONS = (
    *("TYPE_CHECKING", "not TYPE_CHECKING", "len('a') == 1", "sys.version_info >= (3, 8)", "sys.version_info < (3, 9)"),
    *("__name__ == '__main__'", "__name__ != '__main__'", "len({L}) > 1", "'{inner}' in 'm1'"),
)
UNSURE = (
    *("os.getenv('PD_A')", "os.environ.get('PD_B') == '1'", "sys.platform == 'win32'"),
    *("'{d}' in sys.modules", "'{d}' not in sys.modules"),
)
"""What only the running program knows."""
ODD = re.compile(r"setattr|hasattr|getattr|del |reload|sys\.modules|__getattr__|lambda|suppress\(Attr|iter_modules")
"""Statements that leave so much open that only some programs have them."""
TRIES = (
    "try:\n{body}\nexcept ImportError:\n    {log}({v})",
    "try:\n{body}\n    {log}({v})\nexcept ImportError: pass",
    "try:\n{body}\nexcept Exception as error:\n    {log}(type(error).__name__)",
    "try:\n{body}\nexcept Exception: pass\nelse:\n    {log}({v})",
    "try:\n{body}\nexcept Exception: pass\nfinally:\n    {log}({v})",
    "try:\n{body}\n    raise ImportError({v})\nexcept ImportError:\n    {log}({v})",
    "try:\n    import {missing}\n{body}\nexcept ImportError:\n    {log}({v})",
    "try:\n{body}\n    import {missing}\nexcept ImportError:\n    {log}({v})",
    "try:\n{body}\nexcept (ImportError, AttributeError, NameError):\n    {n} = None\n    {log}({v})",
    "with suppress(Exception):\n{body}\n    {log}({v})",
    "for {n} in range(2):\n    try:\n{deeper}\n        break\n    except Exception: {log}({v})",
    "try:\n{body}\nexcept ImportError: pass",
)
FAILURES = (
    *(
        "import not_there",
        "import maybe_there",
        "raise RuntimeError({v})",
        "raise ImportError({v})",
        "os.environ['PD_A']",
    ),
    *("undefined_name", "from {d} import nothing", "import {d}.nothing", "{d}_nothing.x", "1 / 0"),
)
REEXPORTS = (
    *("from .{inner} import *", "from .{inner} import NAME{k}", "from .{inner} import NAME{k}, ITEMS{k}") * 2,
    *("from . import {inner}", "import {package}.{inner}", "from {package}.{inner} import *") * 2,
    *("from .{inner} import NAME{k} as {inner}", "{inner} = 'text'"),
)
"""What the file of a package does with the modules in it."""
EXTRA = (
    "def __getattr__(name):\n    if name == 'NEW{j}': return 'made'\n    raise AttributeError(name)",
    "__all__ = ['NAME{j}', '_OWN{j}']",
    "__all__ = ['ITEMS{j}']\n__all__ += ['NAME{j}', 'late{j}']",
    "if __name__ == '__main__': NAME{j} = 'main'",
    "NAME{j} += '!'",
    "ITEMS{j}.append({v})",
    "{log}(NAME{j})",
    "{log}({v})",
    "{log}(__name__)",
)
"""What a module does with its own names, in between."""
