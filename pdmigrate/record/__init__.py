"""What is remembered of a project: in ``.pdmigrate/`` of a migration, in the user's cache of the last agreement."""
