"""Would a search beat a longer list, for servers of more than a hundred tools?

    python -m benchmarks.searching LISTING ...

Each LISTING is a saved answer to ``tools/list``.  Instead of stubs the server would list its bridge alone, with an
argument ``query``: BM25 over names and summaries, a dozen answers.  What that costs is counted in tokens; what it
loses, in tools that the dozen does not hold, when it is asked in the words of the tool's own description that its
summary leaves out, and in those of its summary without the words of its name.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import fmean

from benchmarks.questions import share_in_top, texts_of
from pdmigrate.audit import audited, from_listing
from pdmigrate.audit.search import SearchIndex, words
from pdmigrate.audit.tokens import compact, counter

DOZEN = 12
CALL = 60
"""The tokens of a call of the search and of its frame, on average."""


def main() -> int:
    """Count for each listing and print a row."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("listing", nargs="+", type=Path)
    for file in parser.parse_args().listing:
        sys.stdout.write(row(file) + "\n")
    return 0


def row(file: Path) -> str:
    """What a search costs and loses for one listing."""
    audit = audited(from_listing(file.read_text(encoding="utf-8"), file.stem), counter())
    lines = [{"name": stub["name"], "description": stub.get("description")} for stub in audit.stubs]
    index = SearchIndex([words(f"{line['name']} {line['description'] or ''}") for line in lines])
    answer = DOZEN * fmean(counter().count(compact(line)) for line in lines) + CALL
    stubs = audit.after - audit.bridge - audit.guidance
    full = [[words(text) for text in texts_of(tool)] for tool in audit.catalogue.tools]
    asked = [(query, number) for number, queries in enumerate(full) for query in queries]
    named = [(words(str(line["description"] or "")), number) for number, line in enumerate(lines)]
    left = [([w for w in query if w not in words(str(lines[n]["name"]))], n) for query, n in named]
    found = fmean(share_in_top(index, query, number, DOZEN) for query, number in asked)
    plain = fmean(share_in_top(index, query, number, DOZEN) for query, number in left)
    return (
        f"{file.stem}: {len(lines)} tools, stubs {stubs:,} tokens, one search {answer:,.0f}; pays below "
        f"{stubs / answer:.0f} searches a session; in the dozen: {found:.0%} by removed texts, {plain:.0%} by the "
        "summary without the words of the name"
    )


if __name__ == "__main__":
    raise SystemExit(main())
