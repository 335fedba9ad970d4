"""The registry of finding codes: one row each, and a page of that name in ``docs/findings``, which has the title.

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
    hint: str
    in_check: InCheck = InCheck.REPEATED


_error, _warning, _note = (partial(Code, severity) for severity in Severity)
_FAILING, _QUIET = InCheck.FAILING, InCheck.QUIET
_SHORTENED = "nothing: the tool is shortened when listed; its definition stays in your code"

CODES = {
    # 1: reading files
    "PD101": _error("fix the syntax, or exclude the file"),
    "PD102": _error("use LF or CRLF line endings, and remove trailing blanks and odd comments at the end"),
    "PD103": _error("save the file as UTF-8, or declare its encoding in the first line"),
    "PD104": _error("save the file as UTF-8"),
    "PD105": _error("this is a mistake in pdmigrate: please report it with the file"),
    "PD106": _error("exclude the file"),
    "PD107": _error("check the permissions of the file, or exclude it"),
    # 2: recognising servers
    "PD201": _warning("ask the running server with `--live`, or leave it: it is stubbed when it runs"),
    "PD202": _warning("call the class, or one derived from it, in the file that defines it"),
    "PD203": _warning("make the server by calling the SDK's class, or one derived from it in this project"),
    "PD204": _note("give the file as PATH to migrate its server anyway", _QUIET),
    "PD205": _warning("give the right one with --sdk, or update the SDK"),
    "PD206": _note("build the server with mcp or fastmcp; `pdmigrate audit --command CMD` measures it as it is"),
    "PD207": _warning("give its file as PATH to migrate it anyway"),
    # 3: resolving values
    "PD301": _warning("leave it, or write the value as a constant", _QUIET),
    "PD302": _warning("leave it, or write the value as a constant", _QUIET),
    "PD303": _warning("leave it, or keep the value in the package", _QUIET),
    "PD304": _warning("leave it, or sort what has no order", _QUIET),
    "PD305": _warning("leave it, or write one value for all platforms", _QUIET),
    "PD306": _warning("leave it, or write the value in the package", _QUIET),
    "PD307": _warning("leave it, or write it more plainly", _QUIET),
    "PD308": _warning("make the value smaller, or leave it", _QUIET),
    "PD309": _warning("ask the running server with `--live`, or leave it", _QUIET),
    "PD310": _warning("leave it, or write one value for both cases", _QUIET),
    "PD311": _warning("check that the server starts", _QUIET),
    "PD312": _warning("check that the server starts", _QUIET),
    "PD320": _note(_SHORTENED, _QUIET),
    "PD321": _note(_SHORTENED, _QUIET),
    "PD322": _note(_SHORTENED, _QUIET),
    "PD323": _note(_SHORTENED, _QUIET),
    "PD324": _note(_SHORTENED, _QUIET),
    "PD330": _note(_SHORTENED),
    "PD331": _warning("check whether the tool depends on how the server is started", _FAILING),
    "PD332": _warning("find where the code changes the field, and report the difference"),
    "PD333": _note("nothing; run with --live again when the code changes"),
    "PD334": _error("give the file of that server as PATH", _FAILING),
    "PD335": _error("check that the command runs this project's code", _FAILING),
    "PD336": _warning("give every tool a name of its own"),
    "PD338": _note("nothing, if that was to be expected"),
    "PD340": _warning("leave it, or ask the running server: --live CMD", _QUIET),
    "PD341": _warning("leave it: the running server knows its schema", _QUIET),
    "PD342": _warning("check that the server starts", _QUIET),
    "PD343": _warning("write the value as a constant, or leave it", _QUIET),
    "PD344": _warning("give the enum that member, or leave it", _QUIET),
    "PD345": _warning("run pdmigrate with the server's pydantic", _QUIET),
    "PD346": _warning("ask the running server with --live, or leave it", _QUIET),
    "PD347": _note("give its file as PATH and its command with --live"),
    # 4: description files
    "PD401": _error("repair the file, or restore it from version control"),
    "PD402": _error('add "name" with the name of its tool'),
    "PD403": _error("keep one of the two"),
    "PD404": _error("see the schema that the file names in $schema"),
    "PD405": _error("correct the schema in the file or code that owns it"),
    "PD406": _error("correct the example, or the schema"),
    "PD407": _warning("remove the credential from the file or code that owns the text, and revoke it", _FAILING),
    "PD408": _warning("describe the place without the path or host", _FAILING),
    "PD409": _warning("move parameters and examples to the full description", _FAILING),
    "PD410": _warning("if the tool is gone, `pdmigrate sync --prune` removes it"),
    "PD411": _error("take the value out: metadata is sent to every client"),
    "PD412": _warning("fill it in, in [tool.pdmigrate.dashdash]", _FAILING),
    "PD413": _note("fill in what applies to the server"),
    "PD414": _warning("correct the name of the field, parameter or tool", _FAILING),
    # 5: planning a migration
    "PD501": _error("please report it with the file; nothing was written"),
    "PD502": _error('leave the tool to code with move = "none"'),
    "PD504": _note("keep it elsewhere if it is still wanted"),
    "PD512": _error("make the two alike, then run again"),
    "PD513": _error("make the change in the description file"),
    "PD514": _error("make the change in the code"),
    "PD515": _note("nothing, unless the declarations should be one", _QUIET),
    "PD516": _error("rename or remove it, then run again"),
    "PD517": _error("restore the file from version control"),
    "PD520": _warning("change the build file by hand", _FAILING),
    "PD522": _warning("change .gitignore so that it does not cover them", _FAILING),
    "PD523": _warning("build a wheel and look whether the description files are in it", _QUIET),
    "PD525": _warning("correct the file and run the command again"),
    "PD530": _warning("move it and its descriptions beside the server; if the server is gone, remove them", _FAILING),
    "PD531": _warning("run pdmigrate in the folder of that project"),
    "PD532": _error("nothing, to keep that code; else put the full definitions back into the tools and take it out"),
    "PD533": _warning("nothing, unless the hidden tools should be listed", _QUIET),
    "PD534": _warning(
        "they get stubs, and calls before a fetch are refused: adapt them, or set PROGRESSIVE_DISCLOSURE=off", _QUIET
    ),
    "PD535": _error("remove this enable call, then run again for a folder of its own"),
    "PD536": _warning("keep the edits elsewhere: settings and description files decide", _QUIET),
    "PD537": _error(
        "if the folder was moved, put its new path into the lock; else restore the lock from version control"
    ),
    "PD538": _note("nothing: a server of prompts and resources has no listing to shorten"),
    "PD543": _warning("rename or remove the file, then run again"),
    "PD544": _note(
        "if that server is migrated, too, start it with PROGRESSIVE_DISCLOSURE=off, or its stubs pass for definitions"
    ),
    # 6: writing and reverting
    "PD601": _error("run the command again"),
    "PD602": _error("fix what the message names, then run the command again"),
    "PD603": _error("wait until it has ended, then run the command again"),
    "PD604": _error("repair the file, then delete that journal"),
    "PD605": _error("replace the link with a file, or run in a folder that has both link and target"),
    "PD606": _error("restore the file from version control"),
    "PD607": _error("undo that edit, or remove what the migration added there, then run `pdmigrate revert` again"),
    "PD608": _error("keep the edits elsewhere, then revert with --force"),
    "PD609": _error("restore the file under its old name, or revert with --force if it was deleted for good"),
    "PD610": _error("restore the file from version control"),
    "PD611": _note("delete the file when you no longer need it"),
    "PD612": _error("look at what is in the journal, then remove it"),
    "PD613": _error("run `pdmigrate sync`, which finishes or undoes it"),
    "PD620": _note("nothing, if the words in the description are enough"),
    # 63x: the cost of a listing, and what hosts do to it
    "PD630": _note("nothing, or migrate the server"),
    "PD631": _warning("say what matters in the first 2,048 characters"),
    "PD632": _warning("if you have users of that provider, leave out the part that is named"),
    "PD633": _warning("give the tool, or the server, a shorter or plainer name"),
    "PD634": _note("say in the first sentence what sets it apart"),
    "PD635": _note("nothing: migrate for other hosts, or not at all"),
    "PD636": _error("shorten the tools that are named, or raise the budget"),
    "PD637": _warning("nothing, if the longer text is worth its tokens"),
    # 7: talking to a running server
    "PD701": _error("check the command: it is run as it stands, without a shell"),
    "PD702": _error("give a larger --timeout, or start the server by hand to see what it does"),
    "PD703": _error("start the server by hand to see why it ends"),
    "PD704": _error("check that this is an MCP server and that stdout carries nothing else"),
    "PD705": _error("check the URL, that the server runs, and the headers it asks for"),
    "PD706": _error("send the request by hand in the same environment: the error is the server's own"),
    # 8: configuration
    "PD801": _error("remove the key, or correct its spelling"),
    "PD802": _error("use one of the allowed values"),
    "PD803": _error("correct the file and run the command again"),
    # 9: code, description files and generated module that disagree
    "PD901": _error("run `pdmigrate sync`"),
    "PD902": _error("run `pdmigrate sync`"),
    "PD903": _error("run `pdmigrate sync`, which carries it to the file"),
    "PD904": _error("run `pdmigrate sync`, which writes one"),
    "PD905": _error("run `pdmigrate sync --prune`, which removes the file"),
    "PD906": _error("run `pdmigrate sync`, which renames its file"),
    "PD907": _error("run `pdmigrate sync`"),
    "PD908": _error("keep the edits elsewhere, delete it, then run `pdmigrate sync`"),
    "PD909": _error("run `pdmigrate sync`, or `pdmigrate revert` if that was meant"),
    "PD910": _error("run `pdmigrate sync`"),
    "PD911": _error("run `pdmigrate sync`"),
    "PD912": _note("compare the summary with the description, change it if needed, then run `pdmigrate sync`"),
    "PD916": _error("run `pdmigrate sync --live CMD`, which asks it again"),
}


def finding(
    code: str, message: str, *, hint: str = "", site: Site | None = None, tool: str | None = None, detail: str = ""
) -> Finding:
    """A finding of a registered code.  Raises KeyError if the code is not in the registry."""
    row = CODES[code]
    return Finding(code, row.severity, message, hint or row.hint, site, tool, detail)
