"""Stands in for ``python3 -m venv TARGET``: what pip has installed into another environment is in this one as well.

The first argument is that other environment.
"""

import pathlib
import sys
import venv

base, target = (pathlib.Path(argument).absolute() for argument in sys.argv[1:])
site_packages = pathlib.Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")

venv.create(target, with_pip=False, symlinks=True)
(target / site_packages / "base.pth").write_text(f"{base / site_packages}\n")
for command in ("pip", "mypy", "pytest"):
    _, program = (base / "bin" / command).read_text().split("\n", 1)
    script = target / "bin" / command
    script.write_text(f"#!{target / 'bin' / 'python'}\n{program}")
    script.chmod(0o755)
