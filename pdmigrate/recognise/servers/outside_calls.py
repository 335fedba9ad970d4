"""Calls of functions from outside the tree: known ones, harmless ones, and all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.operations import CALLS
from pdmigrate.evaluate.core.outside import unknown_call
from pdmigrate.evaluate.core.values import Arguments, External, Value
from pdmigrate.evaluate.language.calls import not_followed
from pdmigrate.evaluate.language.coroutines import hand_over, run_by
from pdmigrate.knowledge.library.argparse import command_line
from pdmigrate.knowledge.library.inert import inert, inert_result
from pdmigrate.knowledge.types.library_types import library_call
from pdmigrate.recognise.sdk.objects import sdk_call, validated
from pdmigrate.recognise.servers.making import registry_call

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@CALLS.of(External)
def call_outside(run: Interpreter, function: External, arguments: Arguments) -> Value:
    known = sdk_call(run, function, arguments) or registry_call(run, function, arguments)
    known = known or validated(run, function, arguments) or library_call(run, function, arguments)
    known = known or command_line(run, function.name, arguments) or run_by(run, function.name, arguments)
    if known is not None:
        return known
    if inert(function.name):
        hand_over(run, arguments.values)
        return inert_result(function.name, arguments)
    return not_followed(run, arguments, unknown_call(function.name, arguments))
