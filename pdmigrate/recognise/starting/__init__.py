"""How a program is started, in one way after another, and what its servers list once they answer."""
