"""A small abstract interpreter for Python over libcst: what a value is, or why that is not known.

It never imports or executes the program.  ``World`` is what dialects work with.
What is imported from here costs no parser: some questions need none.
"""
