"""How servers are found, by the ways in which the families of `pdmigrate.families` declare tools."""
