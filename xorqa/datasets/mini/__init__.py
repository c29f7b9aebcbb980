"""The bundled world; see `world`."""

from .world import load

__all__ = ["load"]
