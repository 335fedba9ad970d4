"""What the generated module does over a long time, and under clients that mean no good."""
