"""Servers whose tools the program registers one by one: run the program, then read what the server lists."""
