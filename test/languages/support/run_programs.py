"""Runs programs in one process, since its start takes longer than they do. Keeps what each synthesizes, by its name."""

import pathlib
import runpy
import sys

for program in sys.argv[1:]:
    runpy.run_path(program, run_name="__main__")
    synthesized = pathlib.Path("cdktf.out")
    if synthesized.exists():
        synthesized.rename(pathlib.Path(program).stem)
