"""Whether a migration pays: the figures, the verdict, and how they are said."""
