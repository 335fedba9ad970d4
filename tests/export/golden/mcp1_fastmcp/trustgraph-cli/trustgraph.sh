#!/bin/sh
set -e
tg-set-mcp-tool --id find_sailings --remote-name find_sailings --tool-url http://localhost:8000/mcp
tg-set-tool --id find_sailings --name find_sailings --type mcp-tool --mcp-tool find_sailings --description 'List the sailings of a day from one harbour, with the free space on the car deck.

    Use it before book_crossing, which wants the time of a sailing. Times are local and have no colon. The line sails
    four times on every day of the year; in a storm sailings are cancelled by the harbours, and only there.

    Example:
        find_sailings(departs_from="ormsund", not_before="1200")
    ' --argument 'departs_from:string:The harbour to leave from. (one of skarven, ormsund)' 'not_before:string:Earliest time, as 0640. (optional; default 0000; matching ^[0-2][0-9][0-5][0-9]$)'
tg-set-mcp-tool --id book_crossing --remote-name book_crossing --tool-url http://localhost:8000/mcp
tg-put-config-item --type tool --key book_crossing --value '{"name": "book_crossing", "description": "Book people and their vehicles onto one sailing.\n\n    The car deck has 24 metres: a bicycle takes one, a car five and a van eight. A booking that does not fit is refused\n    as a whole; offer the next sailing then, or fewer vehicles. Passengers without vehicles always find room, up to\n    twelve in one booking. The code in the answer is all that the passenger needs, so read it out.\n\n    Raises:\n        ValueError: No ferry leaves at that time, or the deck has not enough metres left.\n    ", "mcp-tool": "book_crossing", "arguments": [{"name": "sailing", "type": "string", "description": "The departure, as 0910. (matching ^[0-2][0-9][0-5][0-9]$)"}, {"name": "passengers", "type": "number", "description": "How many people, children included. (integer; at least 1; at most 12)"}, {"name": "vehicles", "type": "string", "description": "What they bring onto the car deck. (JSON matching {\"items\": {\"$ref\": \"#/$defs/Vehicle\"}, \"type\": \"array\", \"$defs\": {\"Vehicle\": {\"description\": \"What travels on the car deck, with the space it takes in metres.\", \"enum\": [\"bicycle\", \"car\", \"van\"], \"title\": \"Vehicle\", \"type\": \"string\"}}}; optional; default null; may be null)"}, {"name": "note", "type": "string", "description": "(optional; default null; may be null)"}], "type": "mcp-tool"}'
tg-set-mcp-tool --id cancel_booking --remote-name cancel_booking --tool-url http://localhost:8000/mcp
tg-set-tool --id cancel_booking --name cancel_booking --type mcp-tool --mcp-tool cancel_booking --description 'Cancel a booking and give its space on the deck back. There is no way back, so ask the passenger before.

    A booking that was cancelled already is no error: the answer is the same.
    ' --argument 'code:string:As on the ticket. (matching ^F[0-9]{4}$)'
tg-set-mcp-tool --id skarven_notice --remote-name skarven_notice --tool-url http://localhost:8000/mcp
tg-set-tool --id skarven_notice --name skarven_notice --type mcp-tool --mcp-tool skarven_notice --description 'Tell what travellers have to know about the harbour of Skarven: where tickets are checked, what is closed, and from which wind on the ferry does not call there. Read it out before the first booking of somebody who has not sailed from there before.'
tg-set-mcp-tool --id ormsund_notice --remote-name ormsund_notice --tool-url http://localhost:8000/mcp
tg-set-tool --id ormsund_notice --name ormsund_notice --type mcp-tool --mcp-tool ormsund_notice --description 'Tell what travellers have to know about the harbour of Ormsund: where tickets are checked, what is closed, and from which wind on the ferry does not call there. Read it out before the first booking of somebody who has not sailed from there before.'
