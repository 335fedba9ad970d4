"""How blocks are left, as syntax tells: whether they end the program, or catch what is raised at a ``yield``."""

from __future__ import annotations

import libcst as cst
import pytest

from pdmigrate.tree.code.leaving import catches_at_yield, ends_program
from pdmigrate.tree.code.syntax import last_name

ENDS = [
    "raise SystemExit",
    "raise SystemExit(0)",
    "print(1); sys.exit(2)",
    "work()\n    exit()",
    "os._exit(1)",
    "for x in y:\n        work(x)\n    quit()",
    "def inner():\n        return 1\n    sys.exit()",
]
GOES_ON = [
    "pass",
    "raise ValueError",
    "raise",
    "sys.exit",
    "sys.exit()\n    work()",
    "other.exit()",
    "return sys.exit()",
    "if a:\n        return\n    sys.exit()",
    "for x in y:\n        break\n    sys.exit()",
    "yield 1\n    sys.exit()",
    "try:\n        sys.exit()\n    except SystemExit:\n        pass",
    "raise SystemExitError",
    "value = sys.exit()",
    "lambda: sys.exit()",
]


def block(body: str) -> cst.BaseSuite:
    tree = cst.parse_module(f"def f():\n  if x:\n    {body}\n")
    function = cst.ensure_type(tree.body[0], cst.FunctionDef)
    return cst.ensure_type(function.body.body[0], cst.If).body


@pytest.mark.parametrize("body", ENDS)
def test_a_block_ends_the_program(body: str) -> None:
    assert ends_program(block(body))


@pytest.mark.parametrize("body", GOES_ON)
def test_a_block_may_go_on(body: str) -> None:
    assert not ends_program(block(body))


CATCHES = {
    "a handler": "try:\n        yield\n    except ValueError:\n        pass",
    "a handler that raises under a condition": (
        "try:\n        yield\n    except ValueError:\n        if a:\n            raise"
    ),
    "a handler that returns before it raises": (
        "try:\n        yield\n    except ValueError:\n        if a:\n            return\n        raise"
    ),
    "one of two handlers": (
        "try:\n        yield\n    except KeyError:\n        raise\n    except ValueError:\n        log()"
    ),
    "a handler in a loop": "for x in y:\n        try:\n            yield x\n        except OSError:\n            log()",
    "a group": "try:\n        yield\n    except* ValueError:\n        pass",
    "a return in finally": "try:\n        yield\n    finally:\n        return",
    "a manager": "with quiet():\n        yield",
    "one of two managers": "with open(a), quiet():\n        yield",
    "another generator": "yield from other()",
    "an async manager": "async with quiet() as x:\n        yield x",
}
PASSES_ON = {
    "nothing around": "yield",
    "a handler elsewhere": "try:\n        work()\n    except ValueError:\n        pass\n    yield",
    "a handler that raises again": "try:\n        yield\n    except ValueError:\n        log()\n        raise",
    "a handler that raises another": "try:\n        yield\n    except ValueError as e:\n        raise KeyError from e",
    "a handler in one line": "try:\n        yield\n    except ValueError: raise",
    "a handler that raises in both cases": (
        "try:\n        yield\n    except OSError:\n        if a:\n            raise\n        else:\n            raise E"
    ),
    "a manager that swallows nothing": "with lock:\n        yield",
    "finally": "try:\n        yield\n    finally:\n        close()",
    "a yield of an inner function": "with quiet():\n        def inner():\n            yield\n    yield",
}


def generator(body: str) -> cst.FunctionDef:
    return cst.ensure_type(cst.parse_module(f"async def f():\n    {body}\n").body[0], cst.FunctionDef)


def is_quiet(manager: cst.BaseExpression) -> bool:
    return isinstance(manager, cst.Call) and last_name(manager.func) == "quiet"


@pytest.mark.parametrize("body", CATCHES.values(), ids=CATCHES)
def test_a_generator_may_go_on_after_what_is_raised_at_its_yield(body: str) -> None:
    assert catches_at_yield(generator(body), is_quiet)


@pytest.mark.parametrize("body", PASSES_ON.values(), ids=PASSES_ON)
def test_a_generator_passes_on_what_is_raised_at_its_yield(body: str) -> None:
    assert not catches_at_yield(generator(body), is_quiet)
