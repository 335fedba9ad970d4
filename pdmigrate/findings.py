"""The registry of finding codes: one row each, and a page with the same name in ``docs/findings``.

The first digit says what a finding is about: 1 reading files, 2 recognising servers, 3 resolving values,
4 description files, 5 planning a migration, 6 writing, reverting and reporting, 7 verifying a running server,
8 configuration, 9 code, description files and generated module that disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pdmigrate.model import Finding, Severity, Site


class InCheck(Enum):
    """What ``check`` does with a finding of planning."""

    REPEATED = "repeated"
    """``check`` reports the finding, and fails if it is an error whose code begins with PD2, PD4, PD5 or PD9."""
    FAILING = "failing"
    """``check`` reports the finding and fails, even for a warning: a person should settle it."""
    QUIET = "quiet"
    """Only the commands that migrate report the finding: it is no disagreement between code and files."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding.  ``hint`` says what to do next, unless the finding has a hint of its own."""

    id: str
    severity: Severity
    title: str
    hint: str
    in_check: InCheck = InCheck.REPEATED


_Row = tuple[str, Severity, str, str] | tuple[str, Severity, str, str, InCheck]


def _table(*rows: _Row) -> dict[str, Code]:
    return {row[0]: Code(*row) for row in rows}


_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
_FAILING, _QUIET = InCheck.FAILING, InCheck.QUIET
_SHORTENED = "nothing: the tool is shortened when listed; your code stays as it is"

CODES = _table(
    # 1: reading files
    ("PD101", _ERROR, "not valid Python", "fix the syntax, or exclude the file"),
    (
        "PD102",
        _ERROR,
        "the parser does not reproduce the file byte for byte",
        "use LF or CRLF line endings, and remove trailing blanks and odd comments at the end",
    ),
    ("PD103", _ERROR, "cannot be decoded", "save the file as UTF-8, or declare its encoding in the first line"),
    ("PD104", _ERROR, "does not survive decoding and encoding", "save the file as UTF-8"),
    ("PD105", _ERROR, "edits overlap", "this is a mistake in pdmigrate: please report it with the file"),
    ("PD106", _ERROR, "nested too deeply to be parsed", "exclude the file"),
    ("PD107", _ERROR, "cannot be read", "check the permissions of the file, or exclude it"),
    # 2: recognising servers
    (
        "PD201",
        _WARNING,
        "server takes too many steps to evaluate",
        "ask the running server with `--live`, or leave it: it is stubbed when it runs",
    ),
    (
        "PD202",
        _WARNING,
        "server class without a server",
        "call the class, or one derived from it, in the file that defines it",
    ),
    (
        "PD203",
        _WARNING,
        "tools without a server",
        "make the server by calling the SDK's class, or one derived from it in this project",
    ),
    ("PD204", _NOTE, "servers that tests make", "give the file as PATH to migrate its server anyway", _QUIET),
    ("PD205", _WARNING, "version of the SDK not supported", "give the right one with --sdk, or update the SDK"),
    (
        "PD206",
        _NOTE,
        "server without an SDK",
        "build the server with mcp or fastmcp; `pdmigrate audit --command CMD` measures it as it is",
    ),
    ("PD207", _WARNING, "server that the project does not serve", "give its file as PATH to migrate it anyway"),
    # 3: resolving values
    ("PD301", _WARNING, "depends on the environment", "leave it, or write the value as a constant", _QUIET),
    ("PD302", _WARNING, "depends on an argument", "leave it, or write the value as a constant", _QUIET),
    ("PD303", _WARNING, "read from outside the program", "leave it, or keep the value in the package", _QUIET),
    ("PD304", _WARNING, "differs from run to run", "leave it, or sort what has no order", _QUIET),
    ("PD305", _WARNING, "depends on the platform", "leave it, or write one value for all platforms", _QUIET),
    ("PD306", _WARNING, "comes from outside the package", "leave it, or write the value in the package", _QUIET),
    ("PD307", _WARNING, "construct not followed", "leave it, or write it more plainly", _QUIET),
    ("PD308", _WARNING, "too much to compute", "make the value smaller, or leave it", _QUIET),
    (
        "PD309",
        _WARNING,
        "changed where it cannot be followed",
        "ask the running server with `--live`, or leave it",
        _QUIET,
    ),
    ("PD310", _WARNING, "depends on a condition", "leave it, or write one value for both cases", _QUIET),
    ("PD311", _WARNING, "refused by the SDK", "check that the server starts", _QUIET),
    ("PD312", _WARNING, "raises", "check that the server starts", _QUIET),
    ("PD320", _NOTE, "text or schema is computed", _SHORTENED, _QUIET),
    ("PD321", _NOTE, "also read by other code", _SHORTENED, _QUIET),
    ("PD322", _NOTE, "made more than once", _SHORTENED, _QUIET),
    ("PD323", _NOTE, "changed after it is written", _SHORTENED, _QUIET),
    ("PD324", _NOTE, "made from a function", _SHORTENED, _QUIET),
    ("PD330", _NOTE, "tool that only the running server shows", _SHORTENED),
    (
        "PD331",
        _WARNING,
        "tool that the running server does not list",
        "check whether the tool depends on how the server is started",
        _FAILING,
    ),
    (
        "PD332",
        _WARNING,
        "the running server sends something else",
        "find where the code changes the field, and report the difference",
    ),
    ("PD333", _NOTE, "field taken from the running server", "nothing; run with --live again when the code changes"),
    ("PD334", _ERROR, "which server was started is not known", "give the file of that server as PATH", _FAILING),
    (
        "PD335",
        _ERROR,
        "the running server does not send what a description file says",
        "check that the command runs this project's code",
        _FAILING,
    ),
    ("PD336", _WARNING, "list that breaks the protocol", "give every tool a name of its own"),
    ("PD338", _NOTE, "conditional tool that the running server does not list", "nothing, if that was to be expected"),
    ("PD340", _WARNING, "type of another package", "leave it, or ask the running server: --live CMD", _QUIET),
    (
        "PD341",
        _WARNING,
        "schema decided by the program's code",
        "leave it: the running server knows its schema",
        _QUIET,
    ),
    ("PD342", _WARNING, "no schema of this type", "check that the server starts", _QUIET),
    ("PD343", _WARNING, "value in a schema not settled", "write the value as a constant, or leave it", _QUIET),
    ("PD344", _WARNING, "class not found", "define the class in the package, or leave it", _QUIET),
    (
        "PD345",
        _WARNING,
        "schema differs between versions of pydantic",
        "run pdmigrate with the server's pydantic",
        _QUIET,
    ),
    ("PD346", _WARNING, "version of the SDK not measured", "ask the running server with --live, or leave it", _QUIET),
    ("PD347", _NOTE, "server that was not asked", "give its file as PATH and its command with --live"),
    # 4: description files
    ("PD401", _ERROR, "description file is not JSON", "repair the file, or restore it from version control"),
    ("PD402", _ERROR, "description file without a name", 'add "name" with the name of its tool'),
    ("PD403", _ERROR, "two description files for one tool", "keep one of the two"),
    ("PD404", _ERROR, "description file does not fit its JSON Schema", "see the schema that the file names in $schema"),
    ("PD405", _ERROR, "not a valid JSON Schema", "correct the schema in the file or code that owns it"),
    ("PD406", _ERROR, "example does not fit its schema", "correct the example, or the schema"),
    (
        "PD407",
        _WARNING,
        "looks like a credential",
        "remove the credential from the file or code that owns the text, and revoke it",
        _FAILING,
    ),
    (
        "PD408",
        _WARNING,
        "names a place of one machine or network",
        "describe the place without the path or host",
        _FAILING,
    ),
    ("PD409", _WARNING, "summary holds details", "move parameters and examples to the full description", _FAILING),
    (
        "PD410",
        _WARNING,
        "description of a tool that was not found",
        "if the tool is gone, `pdmigrate sync --prune` removes it",
    ),
    (
        "PD411",
        _ERROR,
        "dashdash metadata gives away what it must not",
        "take the value out: metadata is sent to every client",
    ),
    ("PD412", _WARNING, "required dashdash metadata is missing", "fill it in, in [tool.pdmigrate.dashdash]", _FAILING),
    ("PD413", _NOTE, "recommended dashdash metadata is missing", "fill in what applies to the server"),
    (
        "PD414",
        _WARNING,
        "description file names what is not there",
        "correct the name of the field, parameter or tool",
        _FAILING,
    ),
    # 5: planning a migration
    ("PD501", _ERROR, "an edit would break the file", "please report it with the file; nothing was written"),
    ("PD502", _ERROR, "a declaration cannot be edited", 'leave the tool to code with move = "none"'),
    ("PD503", _ERROR, "no place to enable the server", "give the function a body on lines of its own"),
    ("PD504", _NOTE, "a comment goes with the text that moves", "keep it elsewhere if it is still wanted"),
    ("PD512", _ERROR, "summary edited in two places", "make the two alike, then run again"),
    ("PD513", _ERROR, "schema edited in a stub", "make the change in the description file"),
    ("PD514", _ERROR, "copied field edited", "make the change in the code"),
    ("PD515", _NOTE, "tool declared more than once", "nothing, unless the declarations should be one", _QUIET),
    ("PD516", _ERROR, "a file or folder is in the way", "rename or remove it, then run again"),
    ("PD517", _ERROR, "the only copy of a definition is gone", "restore the file from version control"),
    ("PD520", _WARNING, "description files would not be packaged", "change the build file by hand", _FAILING),
    (
        "PD522",
        _WARNING,
        "description files are ignored by git",
        "change .gitignore so that it does not cover them",
        _FAILING,
    ),
    (
        "PD523",
        _WARNING,
        "files of the package not known",
        "build a wheel and look whether the description files are in it",
        _QUIET,
    ),
    ("PD525", _WARNING, "build file cannot be read", "correct the file and run the command again"),
    (
        "PD530",
        _WARNING,
        "generated module of a server that was not found",
        "move it and its descriptions beside the server; if the server is gone, remove them",
        _FAILING,
    ),
    ("PD531", _WARNING, "server of another project", "run pdmigrate in the folder of that project"),
    (
        "PD532",
        _ERROR,
        "migrated by hand",
        "nothing, to keep that code; else put the full definitions back into the tools and take it out",
    ),
    (
        "PD533",
        _WARNING,
        "tools behind a search",
        "nothing, unless the hidden tools should be listed",
        _QUIET,
    ),
    (
        "PD534",
        _WARNING,
        "test that asks a server",
        "the test gets stubs, and calls before a fetch are refused: adapt it, or set PROGRESSIVE_DISCLOSURE=off",
        _QUIET,
    ),
    (
        "PD535",
        _ERROR,
        "two servers enabled for one folder of descriptions",
        "remove this enable call, then run again for a folder of its own",
    ),
    (
        "PD536",
        _WARNING,
        "edited module is generated anew",
        "keep the edits elsewhere: settings and description files decide",
        _QUIET,
    ),
    (
        "PD537",
        _ERROR,
        "generated module that the lock does not know",
        "run `pdmigrate sync` if the folder was moved as a whole; else restore the lock from version control",
    ),
    ("PD538", _NOTE, "server without tools", "nothing: a server of prompts and resources has no listing to shorten"),
    (
        "PD540",
        _WARNING,
        "test that replaces the SDK",
        "let the test replace the added module, too; if it replaces a server alone, PROGRESSIVE_DISCLOSURE=off helps",
    ),
    ("PD543", _WARNING, "tests are not written", "rename or remove the file, then run again"),
    (
        "PD544",
        _NOTE,
        "server in front of another",
        "if that server is migrated, too, start it with PROGRESSIVE_DISCLOSURE=off, or its stubs pass for definitions",
    ),
    # 6: writing and reverting
    ("PD601", _ERROR, "a file changed since the plan was made", "run the command again"),
    ("PD602", _ERROR, "files could not be written", "fix what the message names, then run the command again"),
    ("PD603", _ERROR, "another run is writing", "wait until it has ended, then run the command again"),
    (
        "PD604",
        _ERROR,
        "an interrupted run cannot be undone",
        "repair the file, then delete that journal",
    ),
    (
        "PD605",
        _ERROR,
        "a path leads out of the project",
        "replace the link with a file, or run in a folder that has both link and target",
    ),
    ("PD606", _ERROR, "state of a migration cannot be read", "restore the file from version control"),
    (
        "PD607",
        _ERROR,
        "a later edit is in the way of a revert",
        "undo or move that edit, then run again",
    ),
    ("PD608", _ERROR, "a generated file was edited", "keep the edits elsewhere, then revert with --force"),
    ("PD609", _ERROR, "a migrated file is gone", "restore the file, or revert with --force to leave it deleted"),
    ("PD610", _ERROR, "the original content of a file cannot be found", "restore the file from version control"),
    ("PD611", _NOTE, "a file holds a person's words and is kept", "delete the file when you no longer need it"),
    ("PD612", _ERROR, "a journal that pdmigrate did not write here", "look at what is in the journal, then remove it"),
    ("PD613", _ERROR, "a run was interrupted while it wrote", "run `pdmigrate sync`, which finishes or undoes it"),
    (
        "PD620",
        _NOTE,
        "cannot be expressed in the exported form",
        "nothing, if the words in the description are enough",
    ),
    # 63x: the cost of a listing, and what hosts do to it
    ("PD630", _NOTE, "whether a migration pays", "nothing, or migrate the server"),
    ("PD631", _WARNING, "text that a host cuts off", "say what matters in the first 2,048 characters"),
    (
        "PD632",
        _WARNING,
        "schema that a provider may refuse",
        "if you have users of that provider, leave out the part that is named",
    ),
    (
        "PD633",
        _WARNING,
        "name that hosts refuse or confuse with another",
        "give the tool, or the server, a shorter or plainer name",
    ),
    (
        "PD634",
        _NOTE,
        "tool that a search does not tell from its sibling",
        "say in the first sentence what sets it apart",
    ),
    ("PD635", _NOTE, "hosts that defer tools themselves", "nothing: migrate for other hosts, or not at all"),
    ("PD636", _ERROR, "listing over its budget of tokens", "shorten the tools that are named, or raise the budget"),
    ("PD637", _WARNING, "tool that costs more than before", "nothing, if the longer text is worth its tokens"),
    # 7: talking to a running server
    ("PD701", _ERROR, "the server cannot be started", "check the command: it is run as it stands, without a shell"),
    ("PD702", _ERROR, "no answer in time", "give a larger --timeout, or start the server by hand to see what it does"),
    ("PD703", _ERROR, "the server ended before it answered", "start the server by hand to see why it ends"),
    (
        "PD704",
        _ERROR,
        "the answer is not an MCP message",
        "check that this is an MCP server and that stdout carries nothing else",
    ),
    ("PD705", _ERROR, "nothing answers at the URL", "check the URL, that the server runs, and the headers it asks for"),
    (
        "PD706",
        _ERROR,
        "the server answers with an error",
        "send the request by hand in the same environment: the error is the server's own",
    ),
    # 8: configuration
    ("PD801", _ERROR, "unknown setting", "remove the key, or correct its spelling"),
    ("PD802", _ERROR, "setting with a value that is not allowed", "use one of the allowed values"),
    ("PD803", _ERROR, "pyproject.toml cannot be read", "correct the file and run the command again"),
    # 9: code, description files and generated module that disagree
    ("PD901", _ERROR, "a copy is behind the code", "run `pdmigrate sync`"),
    ("PD902", _ERROR, "a stub is behind its file", "run `pdmigrate sync`"),
    ("PD903", _ERROR, "summary edited in the stub", "run `pdmigrate sync`, which carries it to the file"),
    ("PD904", _ERROR, "tool without a description file", "run `pdmigrate sync`, which writes one"),
    ("PD905", _ERROR, "the tool of a description file is gone", "run `pdmigrate sync --prune`, which removes the file"),
    ("PD906", _ERROR, "tool renamed", "run `pdmigrate sync`, which renames its file"),
    ("PD907", _ERROR, "generated module out of date", "run `pdmigrate sync`"),
    (
        "PD908",
        _ERROR,
        "generated module edited by hand",
        "keep the edits elsewhere, delete it, then run `pdmigrate sync`",
    ),
    ("PD909", _ERROR, "server not enabled any more", "run `pdmigrate sync`, or `pdmigrate revert` if that was meant"),
    ("PD910", _ERROR, "description files not packaged any more", "run `pdmigrate sync`"),
    ("PD911", _ERROR, "state of pdmigrate out of date", "run `pdmigrate sync`"),
    (
        "PD912",
        _NOTE,
        "summary possibly out of date",
        "compare the summary with the description, change it if needed, then run `pdmigrate sync`",
    ),
    ("PD915", _ERROR, "tools listed in another order", "check that the command starts this project's code"),
    ("PD916", _ERROR, "running server to be asked again", "run `pdmigrate sync --live CMD`, which asks it again"),
)


def finding(
    code: str, message: str, *, hint: str = "", site: Site | None = None, tool: str | None = None, detail: str = ""
) -> Finding:
    """A finding of a registered code.

    Raises:
        KeyError: the code is not in the registry.
    """
    row = CODES[code]
    return Finding(code, row.severity, message, hint or row.hint, site, tool, detail)
