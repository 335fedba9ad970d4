#!/bin/sh
set -e
tg-set-mcp-tool --id find_plots --remote-name find_plots --tool-url http://localhost:8000/mcp
tg-set-tool --id find_plots --name find_plots --type mcp-tool --mcp-tool find_plots --description 'List the plots of a part of the garden, with their size and who holds them. Use it first: every other tool wants the number of a plot, and only this one gives numbers.

The garden has three parts. The northern plots are the sunniest, those by the river flood in spring, and those on the hill are large and a long way from the pump. Free plots come without a holder. An empty list means that no plot of the part is large enough: ask again with a smaller size before you say that there is none.' --argument 'region:string:The part of the garden. (one of north, river, hill)' 'min_size:number:The smallest size in square metres that will do. (integer; optional; default 0; at least 0; at most 1000)'
tg-set-mcp-tool --id book_pump --remote-name book_pump --tool-url http://localhost:8000/mcp
tg-set-tool --id book_pump --name book_pump --type mcp-tool --mcp-tool book_pump --description 'Reserve an hour at the water pump for a plot, on one day of the week. The booking is for every week until it is given up.

At most three plots can have the pump on one day, and no plot may have it on more than two days. A plot that nobody holds needs no water and is refused. The answer says how many hours are left on that day; tell the gardener, because a day that is full in spring stays full until autumn.

Example:
    book_pump(plot=7, day="thu")

Errors:
    no hour is left: offer another day.
    is free and needs no water: nobody holds the plot.' --argument 'plot:number:The number of the plot, as find_plots gives it. (integer)' 'day:string:The day, as its first three letters. (one of mon, tue, wed, thu, fri, sat, sun)'
tg-set-mcp-tool --id assign_plot --remote-name assign_plot --tool-url http://localhost:8000/mcp
tg-set-tool --id assign_plot --name assign_plot --type mcp-tool --mcp-tool assign_plot --description 'Give a free plot to a gardener, or take it back when no holder is given. Only stewards see this tool.

Taking a plot back also gives up its hours at the pump. The waiting list is kept on paper: ask the steward whether its first name was asked before you assign anything.' --argument 'plot:number:The number of the plot. (integer)' 'holder:string:Full name; null takes it back. (optional; at least 2 characters; may be null)'
