"""The rooms of a hotel."""

from typing import Literal

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("hotel")


class Guest(BaseModel):
    """Somebody who stays."""

    name: str
    age: int | None = None


@mcp.tool()
def find_room(beds: int = 2, floor: int | None = None, view: Literal["sea", "yard"] = "sea") -> list[str]:
    """Find a free room. Rooms with a view of the sea are kept for guests of three nights and more.

    Args:
        beds: how many beds
    """
    return [f"{view} {floor} {beds}"]


@mcp.tool()
def book_room(room: str, guest: Guest, nights: int | str = Field(default=1, description="How many nights, or 'open'.")) -> str:
    """Book a room for a guest. The first night is paid at once, the others on the day of departure."""
    return f"{guest.name} has {room} for {nights}"


if __name__ == "__main__":
    mcp.run()
