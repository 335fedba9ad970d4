"""What commands print: pure functions from values to text or JSON.  Nothing here writes to a stream."""

from __future__ import annotations
