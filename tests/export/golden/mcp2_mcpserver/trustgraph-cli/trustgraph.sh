#!/bin/sh
set -e
tg-set-mcp-tool --id find_berth --remote-name find_berth --tool-url http://localhost:8000/mcp
tg-set-tool --id find_berth --name find_berth --type mcp-tool --mcp-tool find_berth --description 'Find free berths that a boat fits into, the tightest first.

    A boat needs half a metre of water under the keel at low tide, which is already counted: give the draught as it is
    in the papers. Pier A is cheaper and dries out at the inner end; pier B has water and power. When nothing is found,
    ask for the other pier before you send a boat away.
    ' --argument 'length:number:Length of the boat over all, in metres. (at most 30; more than 0)' 'draught:number:How deep the boat goes, in metres. (at most 5; more than 0)' 'pier:string:The pier, if it matters. (optional; one of A, B; default B)'
tg-set-mcp-tool --id moor --remote-name moor --tool-url http://localhost:8000/mcp
tg-set-tool --id moor --name moor --type mcp-tool --mcp-tool moor --description 'Put a boat into a berth. The berth must be free; two boats never share one.

    The harbour counts a stay from the moment of this call, and bills every night that begins. Say the number of the
    berth to the skipper twice, because the signs on the piers are faded.

    Raises:
        ValueError: There is no such berth, or a boat lies in it.
    ' --argument 'berth:string:The berth, as find_berth gives it. (matching ^[AB][0-9]$)' 'boat:string:The name on the stern. (at least 2 characters; at most 40 characters)'
tg-set-mcp-tool --id cast_off --remote-name cast_off --tool-url http://localhost:8000/mcp
tg-set-tool --id cast_off --name cast_off --type mcp-tool --mcp-tool cast_off --description 'Let a boat go and free its berth. An empty berth is no error: the answer says that nothing lay there.

    Ask whether the bill is paid before you do this; the harbour has no other record of who lay where.
    ' --argument 'berth:string:The berth that becomes free. (matching ^[AB][0-9]$)'
tg-set-mcp-tool --id high_water --remote-name high_water --tool-url http://localhost:8000/mcp
tg-set-tool --id high_water --name high_water --type mcp-tool --mcp-tool high_water --description 'Tell the times and heights of high water today.

    Boats that go deeper than two metres leave and enter within two hours of it. The times are those of the table on
    the wall of the office and are not corrected for wind.
    '
