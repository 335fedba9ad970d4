"""What is known of the functions and classes of Python and its libraries."""
