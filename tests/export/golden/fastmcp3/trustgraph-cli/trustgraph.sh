#!/bin/sh
set -e
tg-set-mcp-tool --id open_case --remote-name open_case --tool-url http://localhost:8000/mcp
tg-put-config-item --type tool --key open_case --value '{"name": "open_case", "description": "Take in a plant and open a case for it, so that everybody at the stall works from the same notes.", "mcp-tool": "open_case", "arguments": [{"name": "plant", "type": "string", "description": "What it is, as its owner calls it; the herbarium knows the botanical names."}, {"name": "signs", "type": "string", "description": "What is wrong with it, one observation each: \"leaves curl\", \"white dust\". (JSON array of string; optional; default null; may be null)"}], "type": "mcp-tool"}'
tg-set-mcp-tool --id diagnose --remote-name diagnose --tool-url http://localhost:8000/mcp
tg-set-tool --id diagnose --name diagnose --type mcp-tool --mcp-tool diagnose --description 'Weigh a guess against the signs that were noted, and name the mildest remedy.

Use it after open_case. The remedy is always one that does no harm if the guess is wrong; what kills something is
prescribed by another tool, which a session sees only after call_specialist.

Raises:
    ToolError: No case has this number.' --argument 'case:number:The number of the case. (integer; at least 1)' 'guess:string:What it looks like. (one of aphids, mildew, root rot)'
tg-set-mcp-tool --id prescribe_poison --remote-name prescribe_poison --tool-url http://localhost:8000/mcp
tg-set-tool --id prescribe_poison --name prescribe_poison --type mcp-tool --mcp-tool prescribe_poison --description 'Prescribe a systemic insecticide. It kills bees as well, so never for a plant that stands outside.' --argument 'case:number:The number of the case. (integer)' 'grams:number:The dose for one litre of water, five grams at most. (at most 5; more than 0)'
tg-set-mcp-tool --id call_specialist --remote-name call_specialist --tool-url http://localhost:8000/mcp
tg-set-tool --id call_specialist --name call_specialist --type mcp-tool --mcp-tool call_specialist --description 'Ask the specialist over. From then on this session also sees what only specialists may prescribe.

Do so when a remedy has been tried for two weeks without success, and not before.'
tg-set-mcp-tool --id herbarium_look_up --remote-name herbarium_look_up --tool-url http://localhost:8000/mcp
tg-set-tool --id herbarium_look_up --name herbarium_look_up --type mcp-tool --mcp-tool herbarium_look_up --description 'Find the botanical name of a plant, and where it grows without help.' --argument 'name:string:The common name, in the singular.'
