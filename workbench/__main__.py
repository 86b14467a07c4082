"""``python -m workbench``, the same as the command ``workbench``."""

import sys

from workbench.cli.main import main

sys.exit(main())
