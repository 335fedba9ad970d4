"""Record anew what `extract` prints for published servers: python -m tests.published [NAME==VERSION...]"""

from __future__ import annotations

import sys

from benchmarks.published import fetch, published, unpacked
from benchmarks.rent import chosen, meter, options_of
from tests.published.recording import RECORDS, file_of, record


def main() -> None:
    names = sys.argv[1:] or chosen()
    servers = published()
    fetch([servers[name] for name in names])
    RECORDS.mkdir(exist_ok=True)
    with meter() as measuring:
        for name in names:
            with unpacked(servers[name]) as folder:
                file_of(name).write_text(record(measuring.measure(folder, options_of(servers[name]))), encoding="utf-8")
    for file in {*RECORDS.iterdir()} - {file_of(name) for name in chosen()}:
        file.unlink()


if __name__ == "__main__":
    main()
