"""What `.pdmigrate/` holds of a migration."""
