"""Whether description files reach the wheel: build files read as text, and what has to change in them."""
