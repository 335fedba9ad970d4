"""Real frameworks with scripted models, on servers before and after their migration."""
