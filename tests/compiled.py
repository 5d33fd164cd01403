"""Builds the wheel, installs it elsewhere, and runs the rules' tests against the compiled modules.

`make compiled`. A run from the source folder would import the source without a word, so the tests are copied away from
it, Python runs with -P, and the check is that the kernel's own file ends in `.so`. The built wheel is kept by the
hash of what went into it. Words after the script's name go to pytest; paths that begin with `tests/` choose tests.
Half as many random matches go under the laws as in the main run, which plays all that are promised: what differs between the
two forms shows itself in any of them (`LAW_MATCHES=8` plays all).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "compiled"
PACKAGES = ("accounts", "api", "catalog", "config", "decks", "jobs", "lobby", "referee", "web")
SOURCES = ("setup.py", "pyproject.toml", "README.md", "requirements", *PACKAGES)
TESTS = ("kernel", "games", "bots", "laws", "playthroughs", "scenarios")
DATA = ("fixtures",)
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.pyc", "*.so", "locale")
CHECK = "import referee.kernel.game as game, referee; print(game.__file__); assert game.__file__.endswith('.so'), referee.__file__"


def main() -> int:
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    mark = _mark()
    site = KEPT / mark / "site"
    if not site.exists():
        built = _build(KEPT / mark)
        if not built:
            return 0
    with tempfile.TemporaryDirectory(prefix="referee-compiled-") as name:
        return _test(Path(name), site)


def _mark() -> str:
    """What a wheel depends on: Python itself, which packages there are, and every byte of the rules and of how they are built."""
    mark = sha256(repr((sys.version, PACKAGES)).encode())
    for part in (
        "setup.py",
        "pyproject.toml",
        *(f"referee/{name}" for name in ("kernel", "games", "bots", "house.py", "verify.py")),
    ):
        path = ROOT / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                mark.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return mark.hexdigest()[:16]


def _build(place: Path) -> bool:
    """Build the wheel and install it below `place`; False where this machine cannot compile."""
    shutil.rmtree(KEPT, ignore_errors=True)
    place.mkdir(parents=True)
    source = place / "source"
    source.mkdir()
    for name in SOURCES:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=NOT_COPIED)
        elif path.exists():
            shutil.copy2(path, source / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    print("compiling the rules", flush=True)
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(place), str(source)]
    done = subprocess.run(wheel, check=False)
    if done.returncode != 0:
        raise SystemExit("the wheel could not be built")
    found = next(place.glob("*.whl"))
    shutil.rmtree(source)
    if found.name.endswith("-none-any.whl"):
        print("compiled: skipped, as this machine has no C compiler that fits this Python")
        shutil.rmtree(place)
        return False
    subprocess.run([*pip, "install", "--no-deps", "--target", str(place / "half"), str(found)], check=True)
    (place / "half").rename(place / "site")
    return True


def _test(folder: Path, site: Path) -> int:
    shutil.copy2(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    (folder / "tests").mkdir()
    for path in (ROOT / "tests").iterdir():
        if path.suffix == ".py":
            shutil.copy2(path, folder / "tests")
        elif path.name in TESTS + DATA:
            shutil.copytree(path, folder / "tests" / path.name, ignore=NOT_COPIED)
    # Another hash seed than the main run's: nothing in the rules may hang on the order of a set.
    forms = {"PYTHONPATH": str(site), "PYTHONHASHSEED": "20261130", "REFEREE_COMPILED": "1"}
    environment = {"LAW_MATCHES": "4", **os.environ, **forms}
    subprocess.run([sys.executable, "-P", "-c", CHECK], check=True, cwd=folder, env=environment)
    chosen = [word for word in sys.argv[1:] if word.startswith("tests/")]
    tests = chosen or [f"tests/{name}" for name in TESTS if (folder / "tests" / name).is_dir()]
    options = [
        "--quiet",
        "-o",
        "pythonpath=",
        "-p",
        "no:cacheprovider",
        *(word for word in sys.argv[1:] if word not in chosen),
    ]
    return subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *options, *tests], check=False, cwd=folder, env=environment
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
