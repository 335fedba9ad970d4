"""Executes model modules with the pydantic of the interpreter it runs on, and prints the JSON Schemas that it makes.

Reads one job a line from standard input and writes one answer a line; needs nothing but pydantic, so that any version
can answer.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
import typing
import warnings
from pathlib import Path
from typing import Any


def answer(job: dict[str, Any], folder: Path) -> dict[str, Any]:
    from pydantic import BaseModel, TypeAdapter

    # Or an earlier job decides the order of a union: List[Union[int, str]] and List[Union[str, int]] share an entry.
    for forget in getattr(typing, "_cleanups", ()):
        forget()
    known = set(sys.modules)
    stage = "import"
    try:
        for name, source in job["modules"].items():
            path = folder.joinpath(*name.split(".")).with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
        importlib.invalidate_caches()
        module = [importlib.import_module(name) for name in job["modules"]][-1]
        stage = "schema"
        target = eval(job["target"], vars(module))
        if job.get("value"):
            return {"schema": target}
        options = {name: job[name] for name in ("by_alias", "mode") if job[name] is not None}
        if isinstance(target, type) and issubclass(target, BaseModel):
            return {"schema": target.model_json_schema(**options)}
        return {"schema": TypeAdapter(target).json_schema(**options)}
    except Exception as error:  # noqa: BLE001 - whatever the module raises is the answer
        return {"error": f"{type(error).__name__}: {error}", "stage": stage}
    finally:
        for name in set(sys.modules) - known:
            if name.split(".")[0] in {job_name.split(".")[0] for job_name in job["modules"]}:
                del sys.modules[name]


def main() -> None:
    warnings.simplefilter("ignore")
    sys.dont_write_bytecode = True
    for line in sys.stdin:
        with tempfile.TemporaryDirectory() as folder:
            sys.path.insert(0, folder)
            found = answer(json.loads(line), Path(folder))
            sys.path.remove(folder)
        sys.stdout.write(json.dumps(found, default=repr) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
