"""Lend what nobody asks for: two servers of functions, run with ``python -m desk.lend [night]``."""

import sys

from mcp.server.fastmcp import FastMCP

day = FastMCP("lend-desk")
night = FastMCP("night-desk", instructions="Knock first.")


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
