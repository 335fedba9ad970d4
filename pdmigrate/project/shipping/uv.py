"""uv_build: one or more modules below a folder, with everything in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pdmigrate.model import Finding
from pdmigrate.project.shipping.globs import covers
from pdmigrate.project.shipping.model import Addition, Build, example_file, parent, project_name, strings, under


def rules(build: Build) -> Iterator[Addition | Finding]:
    """Findings for excludes that take files out of a module (PD521); nothing has to be added.

    A file beside the modules is not in the wheel, and neither is a server there.
    """
    settings = build.table("tool", "uv", "build-backend")
    modules = _modules(build)
    for home in build.homes:
        if not any(under(parent(home.module), module) for module in modules):
            continue
        for path in (home.module, example_file(home)):
            for key in ("source-exclude", "wheel-exclude"):
                for pattern in strings(settings.get(key)):
                    # An exclude without a leading slash matches at every depth.
                    if covers(pattern if pattern.startswith("/") else f"**/{pattern}", path):
                        yield build.finding(
                            "PD521",
                            f'{key} = ["{pattern}"] takes {path} out of the wheel',
                            hint="remove or narrow the pattern in [tool.uv.build-backend]",
                            mark=pattern,
                        )


def _modules(build: Build) -> tuple[str, ...]:
    """The folders of the modules; ``module-root`` itself for a namespace without a name."""
    settings = build.table("tool", "uv", "build-backend")
    root = settings.get("module-root", "src")
    base = root.strip("/.") if isinstance(root, str) else "src"
    names = strings(settings.get("module-name"))
    if not names:
        if settings.get("namespace") is True:
            return (base,)
        names = (re.sub(r"[-_.]+", "_", project_name(build)).lower(),)
    return tuple("/".join(part for part in (base, name.replace(".", "/")) if part) for name in names)
