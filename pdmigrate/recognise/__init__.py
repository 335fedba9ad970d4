"""How servers are found: one module for each way in which the families of `pdmigrate.families` declare tools."""
