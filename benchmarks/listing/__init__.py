"""What stubs cost, and whether their tools are still found: measured on recorded listings."""
