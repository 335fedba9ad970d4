"""A small abstract interpreter for Python over libcst: what a value is, or why that is not known.

It never imports or executes the program.  ``World`` is what dialects work with; ``evaluate_program`` evaluates one
piece of source on its own.  What is imported from here costs no parser: some questions need none.
"""
