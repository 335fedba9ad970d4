#!/bin/sh
set -e
tg-set-mcp-tool --id book_bench --remote-name book_bench --tool-url http://localhost:8000/mcp
tg-set-tool --id book_bench --name book_bench --type mcp-tool --mcp-tool book_bench --description 'Book a place at a workbench for one hour on the coming Saturday.

Electric repairs happen at benches 1 and 2, textile ones at 3 and 4, wood at 5 and 6. When both benches of a trade
are taken at that hour the booking is refused: offer the hour before or after. The café repairs nothing that runs on
petrol, and nothing that the visitor cannot carry.

Raises:
    ValueError: Both benches of the trade are taken at that hour.

Examples:
    >>> book_bench(item="toaster that stays cold", hour=11)
    >>> book_bench(item="torn jacket", hour=14, trade="textile")' --argument 'item:string:What is broken, in a few words. (at least 3 characters)' 'hour:number:The hour at which the visit begins. (integer; at least 10; at most 16)' 'trade:string:Who has to be there. (optional; one of electric, textile, wood; default electric)'
tg-set-mcp-tool --id list_bookings --remote-name list_bookings --tool-url http://localhost:8000/mcp
tg-set-tool --id list_bookings --name list_bookings --type mcp-tool --mcp-tool list_bookings --description 'List what is booked for the coming Saturday, by hour and bench.

Names are not kept, so this is safe to read out. Without an hour the whole day is listed; an empty list means that
nothing is booked, not that the café is closed.' --argument 'hour:number:(integer; optional; default null; may be null)'
tg-set-mcp-tool --id clear_day --remote-name clear_day --tool-url http://localhost:8000/mcp
tg-set-tool --id clear_day --name clear_day --type mcp-tool --mcp-tool clear_day --description 'Remove every booking of the coming Saturday. Only for volunteers, and only after the last visitor has left.

The statistics of the day are gone with it; write them down first.'
tg-set-mcp-tool --id crib_lend --remote-name crib_lend --tool-url http://localhost:8000/mcp
tg-set-tool --id crib_lend --name crib_lend --type mcp-tool --mcp-tool crib_lend --description 'Hand out tools from the crib. Everything is to be back by six in the evening of the same day.

What is not in the crib is refused, and so is more than there is. Needles are not counted back.' --argument 'tool:string:Its name, as the list has it.' 'count:number:(integer; optional; default 1)'
