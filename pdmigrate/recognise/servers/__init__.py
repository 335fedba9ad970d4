"""Servers whose tools are functions, as objects of the evaluated program: they record what the program tells them."""
