"""The generated module, run by real SDKs: servers and clients are processes in environments of their own."""
