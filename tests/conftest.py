"""How property tests run here: the same examples on every machine, unless a search for new ones is asked for.

``HYPOTHESIS_PROFILE=explore pytest tests/schemas`` tries new examples each time.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
