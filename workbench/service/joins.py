"""What the service adds to the house: the command ``serve``."""

COMMANDS = {
    "serve": (
        "workbench.service.command",
        "Answer requests over HTTP with recased text; on this computer alone unless asked.",
    )
}
