"""Unpacks zstd, by whatever this machine has for it.

Python has it from 3.14 on (`compression.zstd`); before that the module `zstandard` or the program `zstd` is used.
"""

import shutil
import subprocess

def decompressor():
    """A function that unpacks zstd, or None where this Python has no way to."""
    try:
        from compression import zstd

        return zstd.decompress
    except ImportError:
        pass
    try:
        import zstandard

        return lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data)
    except ImportError:
        pass
    program = shutil.which("zstd")
    if program is None:
        return None

    def by_program(data):
        done = subprocess.run([program, "-dcq"], input=data, capture_output=True, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.decode("utf-8", "replace").strip())
        return done.stdout

    return by_program
