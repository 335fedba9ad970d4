"""What ``.pdmigrate/`` records of a migration."""
