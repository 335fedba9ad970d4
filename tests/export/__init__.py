"""Tools in the forms of other systems."""
