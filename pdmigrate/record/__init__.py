"""What is remembered of a project: its migration, in ``.pdmigrate/``; its last agreement, in the user's cache."""
