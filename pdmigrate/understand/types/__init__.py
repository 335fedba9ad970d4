"""From evaluated functions and classes to the specs that ``pdmigrate.sdk.schemas`` builds types from."""
