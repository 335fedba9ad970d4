"""All that enters its functions in the tables of ``demand.run``: import this module before evaluating anything."""

from __future__ import annotations

from pdmigrate.understand.demand import (
    attributes,
    classes,
    comprehensions,
    expressions,
    functions,
    statements,
    trying,
    unfollowed,
)
from pdmigrate.understand.library import (
    builtins,
    calling,
    containers,
    contexts,
    derived,
    files,
    model_fields,
    records,
    reflection,
    settings,
    signatures,
    standard,
    type_parts,
    world,
)
from pdmigrate.understand.servers import choosing, making, methods, models, replying, tool_objects

ALL = (
    *(attributes, classes, comprehensions, expressions, functions, statements, trying, unfollowed),
    *(
        builtins,
        calling,
        containers,
        contexts,
        derived,
        files,
        model_fields,
        records,
        reflection,
        settings,
        signatures,
        standard,
        type_parts,
        world,
    ),
    *(choosing, making, methods, models, replying, tool_objects),
)
