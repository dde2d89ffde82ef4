"""The app that is filmed. It runs in an environment of its own, which alone has Flet."""
