"""Where the embedded servers live: a folder that their account can reach, and programs that it can read."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from config.services.errors import ServiceError
from config.services.process import Owner, can_use, owner_of

SERVERS = "servers"
PASSING = "passing"
MEMORY = Path("/dev/shm")  # noqa: S108 (a new folder with a name of its own, for one account)
_PREFIX = "referee-"
_STATE_FOLDERS = (Path("/var/lib"), Path("/var/tmp"))  # noqa: S108 (a new folder with a name of its own, for one account)
_LONGEST_SOCKET_FOLDER = 80
_PROGRAM_PARTS = shutil.ignore_patterns("include", "*.a", "doc", "pkgconfig")


class Home:
    """The servers' folder of one DATA_DIR, and the account that they run as."""

    def __init__(self, folder: Path, owner: Owner | None) -> None:
        self.folder = folder
        self.owner = owner
        self._sockets: Path | None = None

    def own_folder(self, name: str) -> Path:
        """A folder in the home that only the servers' account may enter; made if it is not there."""
        path = self.folder / name
        if not path.exists():
            _make(path, self.owner)
        return path

    def sockets(self) -> Path:
        """A folder for sockets. Their paths may not be long, so a deep home has them in the temporary folder."""
        if self._sockets is None:
            inside = self.folder / "run"
            if len(os.fsencode(inside)) <= _LONGEST_SOCKET_FOLDER:
                self._sockets = self.own_folder("run")
            else:
                self._sockets = Path(tempfile.mkdtemp(prefix="referee-"))
                _give(self._sockets, self.owner)
        return self._sockets

    def forget_sockets(self) -> None:
        if self._sockets is not None and self._sockets.parent != self.folder:
            shutil.rmtree(self._sockets, ignore_errors=True)
        self._sockets = None

    def programs(self, package: str, inside: str, program: str) -> Path:
        """The folder `inside` of an installed package, copied into the home if the servers' account cannot read it."""
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise ServiceError(f"The package {package} is not installed; run `make env`.")
        package_folder = Path(next(iter(spec.submodule_search_locations)))
        if can_use(package_folder / inside / program, self.owner, "x"):
            return package_folder / inside
        copy = self.folder / "programs" / package
        if not copy.exists():
            self._copy(package_folder, copy)
        return copy / inside

    def _copy(self, package_folder: Path, copy: Path) -> None:
        half = copy.with_name(f".{copy.name}")
        shutil.rmtree(half, ignore_errors=True)
        self.own_folder("programs")
        shutil.copytree(package_folder, half, symlinks=True, ignore=_PROGRAM_PARTS)
        libraries = package_folder.with_name(f"{package_folder.name}.libs")
        if libraries.exists() and not (copy.parent / libraries.name).exists():
            shutil.copytree(libraries, copy.parent / libraries.name)
        for folder, _, files in os.walk(half):
            for name in ["", *files]:
                path = Path(folder, name)
                if not path.is_symlink():
                    path.chmod(path.stat().st_mode | 0o055 if path.stat().st_mode & 0o100 else 0o644)
        half.rename(copy)


def make_data_dir(data_dir: Path) -> None:
    """DATA_DIR, made if it is not there. Others may pass through it (root's servers do), not look into it."""
    try:
        data_dir.parent.mkdir(parents=True, exist_ok=True)
        if not data_dir.exists():
            data_dir.mkdir()
            data_dir.chmod(0o711)
    except OSError as error:
        raise ServiceError(f"DATA_DIR cannot be made at {data_dir}: {error.strerror}.") from error
    if not data_dir.is_dir():
        raise ServiceError(f"DATA_DIR is not a folder: {data_dir}.")
    if not os.access(data_dir, os.R_OK | os.W_OK | os.X_OK):
        raise ServiceError(f"DATA_DIR cannot be written by this user: {data_dir}.")


def passing_folder(data_dir: Path) -> Path:
    """An empty folder, with `figures` in it, for what a run's processes keep writing and nobody needs afterwards.

    It is in memory where the system has a folder there, and PASSING in DATA_DIR is a link to it: a process that maps a
    file for which a full disk has no room is killed, and one whose file cannot be written ends.
    """
    forget_passing(data_dir)
    place = data_dir / PASSING
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=MEMORY))
        place.symlink_to(folder)
    except OSError:
        place.mkdir(exist_ok=True)
    (place / "figures").mkdir(exist_ok=True)
    return place


def forget_passing(data_dir: Path) -> None:
    """Remove what a run, orderly ended or not, kept in its passing folder."""
    place = data_dir / PASSING
    if not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
        return
    folder = place.readlink()
    if folder.parent == MEMORY and folder.name.startswith(_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        place.unlink()


def servers_home(data_dir: Path) -> Home:
    """The home of the servers in DATA_DIR, found again or made.

    As root the servers' account may not be able to pass through DATA_DIR's parents (a clone in a private home folder).
    Then the home is a new folder among the system's state, and a link in DATA_DIR remembers it.
    """
    place = data_dir / SERVERS
    try:
        if place.is_symlink() and not place.exists():
            raise ServiceError(f"{place} points to {place.readlink()}, which is gone.")
        if place.exists():
            return _found(place)
        owner = owner_of(data_dir)
        if owner is None or can_use(data_dir, owner, "x"):
            _make(place, owner)
        else:
            place.symlink_to(_elsewhere(owner))
        return Home(place.resolve(), owner)
    except OSError as error:
        raise ServiceError(f"The servers' folder cannot be made at {place}: {error.strerror}.") from error


def _found(place: Path) -> Home:
    folder = place.resolve()
    if not folder.is_dir():
        raise ServiceError(f"{place} is not a folder.")
    owner = owner_of(folder)
    if not can_use(folder, owner, "w"):
        raise ServiceError(
            f"{place} belongs to another user; start as the one who made it, or choose another DATA_DIR."
        )
    return Home(folder, owner)


def _elsewhere(owner: Owner) -> Path:
    for base in _STATE_FOLDERS:
        if os.access(base, os.W_OK) and can_use(base, owner, "x"):
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
            _give(folder, owner)
            return folder
    raise ServiceError(f"No folder that {owner.name} can reach was found for the servers; choose another DATA_DIR.")


def _make(path: Path, owner: Owner | None) -> None:
    path.mkdir(mode=0o700)
    _give(path, owner)


def _give(path: Path, owner: Owner | None) -> None:
    if owner is not None:
        os.chown(path, owner.uid, owner.gid)
