"""How servers are found, and what they list.

A row of `pdmigrate.families` names the module that finds its servers: `decorated` where tools are functions, `lowlevel`
where a handler returns them.  Both look into `source/` for the calls that make servers, and for the place where
``enable`` goes and whether a definition may move (`anchors`, `moving`).  They run the program in the ways that
`starting/` knows (`entries`: the commands of the packaging; `ways`; `driving`: code that nothing calls) until its
servers answer, and read then what each lists (`readings`).  While the program runs, its servers are values: those
of `servers/` keep a record of what they are told (`record`; `methods`, `composing` and `making` write it), and so
do the low-level ones of `sdk/objects`.  `listing/` makes a list of that (`replaying` reads the record, `answering`
adds what the program does to the list, `handlers` calls a handler), and `sdk/wire` says what goes over the wire.
`sdk_version` and `python_version` say what a server runs on, `by_hand` whether it discloses progressively by
itself, `watchers` which tests ask it.  `world` holds all that is known of one program.
"""
