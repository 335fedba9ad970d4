#!/bin/sh
set -e
tg-set-mcp-tool --id find_pieces --remote-name find_pieces --tool-url http://localhost:8000/mcp
tg-set-tool --id find_pieces --name find_pieces --type mcp-tool --mcp-tool find_pieces --description 'Search the collection by words of the title.

All words must occur, in any order and in any case. A piece that is lent is found too, and the answer says to
whom. When nothing is found, try the material or the trade instead of the name of the thing.' --argument 'words:string:Words of the title, separated by blanks. (at least 2 characters)' 'limit:number:The most pieces to return. (integer; optional; default 5; at least 1; at most 20)'
tg-set-mcp-tool --id move_piece --remote-name move_piece --tool-url http://localhost:8000/mcp
tg-set-tool --id move_piece --name move_piece --type mcp-tool --mcp-tool move_piece --description 'Note that a piece stands on another shelf now. Shelves run from A to F and from 1 to 9.

Nothing is moved by this: it writes down what somebody has done. A piece that is lent cannot be moved.' --argument number:string: 'shelf:string:(matching ^[A-F][1-9]$)'
tg-set-mcp-tool --id lend_piece --remote-name lend_piece --tool-url http://localhost:8000/mcp
tg-set-tool --id lend_piece --name lend_piece --type mcp-tool --mcp-tool lend_piece --description 'Lend a piece to another house. Only for the staff of the museum.

The contract is written elsewhere; this notes who has the piece, and until when. A piece that is lent already is
refused, and so is one without insurance that leaves the town.' --argument number:string: borrower:string: 'until:string:(format date)' 'insured:string:(optional; one of yes, no; default yes)'
tg-set-mcp-tool --id archive_opening_year --remote-name archive_opening_year --tool-url http://localhost:8000/mcp
tg-set-tool --id archive_opening_year --name archive_opening_year --type mcp-tool --mcp-tool archive_opening_year --description 'Tell in which year a street of the town got its name, from the register of 1950.

Streets that were named later are not in it: the answer says so, and then the town hall knows.' --argument street:string:
