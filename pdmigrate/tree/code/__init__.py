"""The modules of a tree: which file a dotted name means, and their syntax trees."""
