"""The registry of finding codes: one row each, and a page with the same name in ``docs/findings``.

The first digit says what a finding is about: 1 reading files, 2 recognising servers, 3 resolving values,
4 description files, 5 planning a migration, 6 writing, reverting and reporting, 7 verifying a running server,
8 configuration, 9 code, description files and generated module that disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial

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

    severity: Severity
    title: str
    hint: str
    in_check: InCheck = InCheck.REPEATED


_error, _warning, _note = (partial(Code, severity) for severity in Severity)
_FAILING, _QUIET = InCheck.FAILING, InCheck.QUIET
_SHORTENED = "nothing: the tool is shortened when listed; your code stays as it is"

CODES = {
    # 1: reading files
    "PD101": _error("not valid Python", "fix the syntax, or exclude the file"),
    "PD102": _error(
        "the parser does not reproduce the file byte for byte",
        "use LF or CRLF line endings, and remove trailing blanks and odd comments at the end",
    ),
    "PD103": _error("cannot be decoded", "save the file as UTF-8, or declare its encoding in the first line"),
    "PD104": _error("does not survive decoding and encoding", "save the file as UTF-8"),
    "PD105": _error("edits overlap", "this is a mistake in pdmigrate: please report it with the file"),
    "PD106": _error("nested too deeply to be parsed", "exclude the file"),
    "PD107": _error("cannot be read", "check the permissions of the file, or exclude it"),
    # 2: recognising servers
    "PD201": _warning(
        "server takes too many steps to evaluate",
        "ask the running server with `--live`, or leave it: it is stubbed when it runs",
    ),
    "PD202": _warning(
        "server class without a server", "call the class, or one derived from it, in the file that defines it"
    ),
    "PD203": _warning(
        "tools without a server", "make the server by calling the SDK's class, or one derived from it in this project"
    ),
    "PD204": _note("servers that tests make", "give the file as PATH to migrate its server anyway", _QUIET),
    "PD205": _warning("version of the SDK not supported", "give the right one with --sdk, or update the SDK"),
    "PD206": _note(
        "server without an SDK",
        "build the server with mcp or fastmcp; `pdmigrate audit --command CMD` measures it as it is",
    ),
    "PD207": _warning("server that the project does not serve", "give its file as PATH to migrate it anyway"),
    # 3: resolving values
    "PD301": _warning("depends on the environment", "leave it, or write the value as a constant", _QUIET),
    "PD302": _warning("depends on an argument", "leave it, or write the value as a constant", _QUIET),
    "PD303": _warning("read from outside the program", "leave it, or keep the value in the package", _QUIET),
    "PD304": _warning("differs from run to run", "leave it, or sort what has no order", _QUIET),
    "PD305": _warning("depends on the platform", "leave it, or write one value for all platforms", _QUIET),
    "PD306": _warning("comes from outside the package", "leave it, or write the value in the package", _QUIET),
    "PD307": _warning("construct not followed", "leave it, or write it more plainly", _QUIET),
    "PD308": _warning("too much to compute", "make the value smaller, or leave it", _QUIET),
    "PD309": _warning(
        "changed where it cannot be followed", "ask the running server with `--live`, or leave it", _QUIET
    ),
    "PD310": _warning("depends on a condition", "leave it, or write one value for both cases", _QUIET),
    "PD311": _warning("refused by the SDK", "check that the server starts", _QUIET),
    "PD312": _warning("raises", "check that the server starts", _QUIET),
    "PD320": _note("text or schema is computed", _SHORTENED, _QUIET),
    "PD321": _note("also read by other code", _SHORTENED, _QUIET),
    "PD322": _note("made more than once", _SHORTENED, _QUIET),
    "PD323": _note("changed after it is written", _SHORTENED, _QUIET),
    "PD324": _note("made from a function", _SHORTENED, _QUIET),
    "PD330": _note("tool that only the running server shows", _SHORTENED),
    "PD331": _warning(
        "tool that the running server does not list",
        "check whether the tool depends on how the server is started",
        _FAILING,
    ),
    "PD332": _warning(
        "the running server sends something else", "find where the code changes the field, and report the difference"
    ),
    "PD333": _note("field taken from the running server", "nothing; run with --live again when the code changes"),
    "PD334": _error("which server was started is not known", "give the file of that server as PATH", _FAILING),
    "PD335": _error(
        "the running server does not send what a description file says",
        "check that the command runs this project's code",
        _FAILING,
    ),
    "PD336": _warning("list that breaks the protocol", "give every tool a name of its own"),
    "PD338": _note("conditional tool that the running server does not list", "nothing, if that was to be expected"),
    "PD340": _warning("type of another package", "leave it, or ask the running server: --live CMD", _QUIET),
    "PD341": _warning("schema decided by the program's code", "leave it: the running server knows its schema", _QUIET),
    "PD342": _warning("no schema of this type", "check that the server starts", _QUIET),
    "PD343": _warning("value in a schema not settled", "write the value as a constant, or leave it", _QUIET),
    "PD344": _warning("member not found", "give the enum that member, or leave it", _QUIET),
    "PD345": _warning(
        "schema differs between versions of pydantic", "run pdmigrate with the server's pydantic", _QUIET
    ),
    "PD346": _warning("version of the SDK not measured", "ask the running server with --live, or leave it", _QUIET),
    "PD347": _note("server that was not asked", "give its file as PATH and its command with --live"),
    # 4: description files
    "PD401": _error("description file is not JSON", "repair the file, or restore it from version control"),
    "PD402": _error("description file without a name", 'add "name" with the name of its tool'),
    "PD403": _error("two description files for one tool", "keep one of the two"),
    "PD404": _error("description file does not fit its JSON Schema", "see the schema that the file names in $schema"),
    "PD405": _error("not a valid JSON Schema", "correct the schema in the file or code that owns it"),
    "PD406": _error("example does not fit its schema", "correct the example, or the schema"),
    "PD407": _warning(
        "looks like a credential",
        "remove the credential from the file or code that owns the text, and revoke it",
        _FAILING,
    ),
    "PD408": _warning(
        "names a place of one machine or network", "describe the place without the path or host", _FAILING
    ),
    "PD409": _warning("summary holds details", "move parameters and examples to the full description", _FAILING),
    "PD410": _warning(
        "description of a tool that was not found", "if the tool is gone, `pdmigrate sync --prune` removes it"
    ),
    "PD411": _error(
        "dashdash metadata gives away what it must not", "take the value out: metadata is sent to every client"
    ),
    "PD412": _warning("required dashdash metadata is missing", "fill it in, in [tool.pdmigrate.dashdash]", _FAILING),
    "PD413": _note("recommended dashdash metadata is missing", "fill in what applies to the server"),
    "PD414": _warning(
        "description file names what is not there", "correct the name of the field, parameter or tool", _FAILING
    ),
    # 5: planning a migration
    "PD501": _error("an edit would break the file", "please report it with the file; nothing was written"),
    "PD502": _error("a declaration cannot be edited", 'leave the tool to code with move = "none"'),
    "PD503": _error("no place to enable the server", "give the function a body on lines of its own"),
    "PD504": _note("a comment goes with the text that moves", "keep it elsewhere if it is still wanted"),
    "PD512": _error("summary edited in two places", "make the two alike, then run again"),
    "PD513": _error("schema edited in a stub", "make the change in the description file"),
    "PD514": _error("copied field edited", "make the change in the code"),
    "PD515": _note("tool declared more than once", "nothing, unless the declarations should be one", _QUIET),
    "PD516": _error("a file or folder is in the way", "rename or remove it, then run again"),
    "PD517": _error("the only copy of a definition is gone", "restore the file from version control"),
    "PD520": _warning("description files would not be packaged", "change the build file by hand", _FAILING),
    "PD522": _warning(
        "description files are ignored by git", "change .gitignore so that it does not cover them", _FAILING
    ),
    "PD523": _warning(
        "files of the package not known", "build a wheel and look whether the description files are in it", _QUIET
    ),
    "PD525": _warning("build file cannot be read", "correct the file and run the command again"),
    "PD530": _warning(
        "generated module of a server that was not found",
        "move it and its descriptions beside the server; if the server is gone, remove them",
        _FAILING,
    ),
    "PD531": _warning("server of another project", "run pdmigrate in the folder of that project"),
    "PD532": _error(
        "migrated by hand",
        "nothing, to keep that code; else put the full definitions back into the tools and take it out",
    ),
    "PD533": _warning("tools behind a search", "nothing, unless the hidden tools should be listed", _QUIET),
    "PD534": _warning(
        "test that asks a server",
        "the test gets stubs, and calls before a fetch are refused: adapt it, or set PROGRESSIVE_DISCLOSURE=off",
        _QUIET,
    ),
    "PD535": _error(
        "two servers enabled for one folder of descriptions",
        "remove this enable call, then run again for a folder of its own",
    ),
    "PD536": _warning(
        "edited module is generated anew", "keep the edits elsewhere: settings and description files decide", _QUIET
    ),
    "PD537": _error(
        "generated module that the lock does not know",
        "run `pdmigrate sync` if the folder was moved as a whole; else restore the lock from version control",
    ),
    "PD538": _note("server without tools", "nothing: a server of prompts and resources has no listing to shorten"),
    "PD540": _warning(
        "test that replaces the SDK",
        "let the test replace the added module, too; if it replaces a server alone, PROGRESSIVE_DISCLOSURE=off helps",
    ),
    "PD543": _warning("tests are not written", "rename or remove the file, then run again"),
    "PD544": _note(
        "server in front of another",
        "if that server is migrated, too, start it with PROGRESSIVE_DISCLOSURE=off, or its stubs pass for definitions",
    ),
    # 6: writing and reverting
    "PD601": _error("a file changed since the plan was made", "run the command again"),
    "PD602": _error("files could not be written", "fix what the message names, then run the command again"),
    "PD603": _error("another run is writing", "wait until it has ended, then run the command again"),
    "PD604": _error("an interrupted run cannot be undone", "repair the file, then delete that journal"),
    "PD605": _error(
        "a path leads out of the project",
        "replace the link with a file, or run in a folder that has both link and target",
    ),
    "PD606": _error("state of a migration cannot be read", "restore the file from version control"),
    "PD607": _error("a later edit is in the way of a revert", "undo or move that edit, then run again"),
    "PD608": _error("a generated file was edited", "keep the edits elsewhere, then revert with --force"),
    "PD609": _error("a migrated file is gone", "restore the file, or revert with --force to leave it deleted"),
    "PD610": _error("the original content of a file cannot be found", "restore the file from version control"),
    "PD611": _note("a file holds a person's words and is kept", "delete the file when you no longer need it"),
    "PD612": _error("a journal that pdmigrate did not write here", "look at what is in the journal, then remove it"),
    "PD613": _error("a run was interrupted while it wrote", "run `pdmigrate sync`, which finishes or undoes it"),
    "PD620": _note("cannot be expressed in the exported form", "nothing, if the words in the description are enough"),
    # 63x: the cost of a listing, and what hosts do to it
    "PD630": _note("whether a migration pays", "nothing, or migrate the server"),
    "PD631": _warning("text that a host cuts off", "say what matters in the first 2,048 characters"),
    "PD632": _warning(
        "schema that a provider may refuse", "if you have users of that provider, leave out the part that is named"
    ),
    "PD633": _warning(
        "name that hosts refuse or confuse with another", "give the tool, or the server, a shorter or plainer name"
    ),
    "PD634": _note("tool that a search does not tell from its sibling", "say in the first sentence what sets it apart"),
    "PD635": _note("hosts that defer tools themselves", "nothing: migrate for other hosts, or not at all"),
    "PD636": _error("listing over its budget of tokens", "shorten the tools that are named, or raise the budget"),
    "PD637": _warning("tool that costs more than before", "nothing, if the longer text is worth its tokens"),
    # 7: talking to a running server
    "PD701": _error("the server cannot be started", "check the command: it is run as it stands, without a shell"),
    "PD702": _error("no answer in time", "give a larger --timeout, or start the server by hand to see what it does"),
    "PD703": _error("the server ended before it answered", "start the server by hand to see why it ends"),
    "PD704": _error(
        "the answer is not an MCP message", "check that this is an MCP server and that stdout carries nothing else"
    ),
    "PD705": _error("nothing answers at the URL", "check the URL, that the server runs, and the headers it asks for"),
    "PD706": _error(
        "the server answers with an error",
        "send the request by hand in the same environment: the error is the server's own",
    ),
    # 8: configuration
    "PD801": _error("unknown setting", "remove the key, or correct its spelling"),
    "PD802": _error("setting with a value that is not allowed", "use one of the allowed values"),
    "PD803": _error("pyproject.toml cannot be read", "correct the file and run the command again"),
    # 9: code, description files and generated module that disagree
    "PD901": _error("a copy is behind the code", "run `pdmigrate sync`"),
    "PD902": _error("a stub is behind its file", "run `pdmigrate sync`"),
    "PD903": _error("summary edited in the stub", "run `pdmigrate sync`, which carries it to the file"),
    "PD904": _error("tool without a description file", "run `pdmigrate sync`, which writes one"),
    "PD905": _error("the tool of a description file is gone", "run `pdmigrate sync --prune`, which removes the file"),
    "PD906": _error("tool renamed", "run `pdmigrate sync`, which renames its file"),
    "PD907": _error("generated module out of date", "run `pdmigrate sync`"),
    "PD908": _error(
        "generated module edited by hand", "keep the edits elsewhere, delete it, then run `pdmigrate sync`"
    ),
    "PD909": _error("server not enabled any more", "run `pdmigrate sync`, or `pdmigrate revert` if that was meant"),
    "PD910": _error("description files not packaged any more", "run `pdmigrate sync`"),
    "PD911": _error("state of pdmigrate out of date", "run `pdmigrate sync`"),
    "PD912": _note(
        "summary possibly out of date",
        "compare the summary with the description, change it if needed, then run `pdmigrate sync`",
    ),
    "PD916": _error("running server to be asked again", "run `pdmigrate sync --live CMD`, which asks it again"),
}


def finding(
    code: str, message: str, *, hint: str = "", site: Site | None = None, tool: str | None = None, detail: str = ""
) -> Finding:
    """A finding of a registered code.  Raises KeyError if the code is not in the registry."""
    row = CODES[code]
    return Finding(code, row.severity, message, hint or row.hint, site, tool, detail)
