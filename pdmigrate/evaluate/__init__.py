"""A small abstract interpreter for Python over libcst: what a value is, or why that is not known.

It never imports or executes the program.  Dialects use it through ``World``.
Importing this package loads no parser: some questions need none.
"""
