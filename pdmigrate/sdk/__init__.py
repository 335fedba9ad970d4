"""The SDKs: their families, what they export, and the schemas that they make of signatures."""
