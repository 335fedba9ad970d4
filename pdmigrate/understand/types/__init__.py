"""From evaluated functions and classes to the specs that ``pdmigrate.schemas`` builds types from."""
