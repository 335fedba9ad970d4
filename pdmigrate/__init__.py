"""Migrate existing Python MCP servers to progressive disclosure of their tools."""

from __future__ import annotations

__version__ = "0.1.0"
