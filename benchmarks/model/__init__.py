"""Does a model still do its work behind stubs and a gate?  ``python -m benchmarks.model --help``

A small, open model plays the same tasks on published servers before their migration and after it, under each policy.
Calls go through a real client session to the real server; a right call is answered with a canned result, so no back end
is needed.  ``docs/models.md`` has the figures.
"""
