"""What pdmigrate does in a repository that nobody vouches for."""
