"""Lend what nobody asks for: two servers of functions, run with ``python -m desk.lend [night]``."""

import sys

from mcp.server.fastmcp import FastMCP

try:
    from .progressive_disclosure_lend_desk import enable
except ImportError:
    from progressive_disclosure_lend_desk import enable

try:
    from .progressive_disclosure_night_desk import enable as enable_progressive_disclosure_night_desk
except ImportError:
    from progressive_disclosure_night_desk import enable as enable_progressive_disclosure_night_desk

day = FastMCP("lend-desk")
enable(day, stdio="enforce", http="advise")
night = FastMCP("night-desk", instructions="Knock first.")
enable_progressive_disclosure_night_desk(night, stdio="enforce", http="advise")


@day.tool()
def lend_item(number: int, until: str = "tomorrow") -> str:
    """Lend an item to whoever asks for it.

    Args:
        number: What the list says of it.
        until: When it is back.
    """
    return f"{number} until {until}"


@night.tool()
def ring(times: int = 1) -> str:
    """Ring the bell. Use it only when the desk is closed."""
    return "ding" * times


if __name__ == "__main__":
    (night if "night" in sys.argv else day).run()
