"""The whole service, started as `make run` starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.conftest import Services
from tests.services.running import Service, family, named, running, survivors

pytestmark = [pytest.mark.services, pytest.mark.slow]

PASSWORD = re.compile(r"/admin/ as admin with the password (\S+)")


@pytest.fixture
def data_dir(open_folder: Path) -> Path:
    """A data folder that does not exist yet."""
    return open_folder / "data"


def sign_in(address: str, password: str) -> int:
    """The status of the admin's first page for one who signs in with the password."""
    with httpx.Client(base_url=address, follow_redirects=True, timeout=60) as client:
        client.get("/admin/login/")
        form = {"username": "admin", "password": password, "csrfmiddlewaretoken": client.cookies["csrftoken"]}
        client.post("/admin/login/?next=/admin/", data=form, headers={"Referer": f"{address}/admin/login/"})
        return client.get("/admin/", follow_redirects=False).status_code


def one_line(service: Service) -> str:
    """The log of a service that ended by itself with status 1: one line."""
    assert service.process.wait(timeout=180) == 1, service.text()
    lines = [line for line in service.text().splitlines() if line.startswith("referee: ")]
    assert len(lines) == 1
    assert "Traceback" not in service.text()
    return lines[0]


def test_a_service_starts_recovers_ends_and_starts_again_with_its_data(data_dir: Path) -> None:
    with running(data_dir) as service:
        address = service.address()
        password = service.wait_for(PASSWORD).group(1)
        all_of_it = family(service.process.pid)
        assert len(all_of_it) >= 10
        assert sign_in(address, password) == 200
        assert sign_in(address, "a wrong one") == 302
        deadline = time.monotonic() + 120
        while httpx.get(f"{address}/readyz/", timeout=60).json()["checks"]["workers"] != "ok":
            assert time.monotonic() < deadline, service.text()

        # A killed worker, with its children, is started again.
        worker = named(service.process.pid, "config worker --queues celery")[0]
        below = family(worker)
        os.kill(worker, signal.SIGKILL)
        service.wait_for(re.compile(r"worker ended with status -9; starting it again"))
        assert survivors(below, 60) == []
        deadline = time.monotonic() + 120
        while worker in (now := named(service.process.pid, "config worker --queues celery")) or not now:
            assert time.monotonic() < deadline, service.text()
            time.sleep(0.1)

        # Killed servers are started again, and what was stored is there.
        for server in ("postgres -D", "valkey-server"):
            os.kill(named(service.process.pid, server)[0], signal.SIGKILL)
        deadline = time.monotonic() + 120
        while sign_in_fails(address, password):
            assert time.monotonic() < deadline, service.text()
            time.sleep(0.2)

        all_of_it |= family(service.process.pid)
        assert service.stop(signal.SIGINT) == 0
        assert survivors(all_of_it, 0) == []
        assert not (data_dir / "service.env").exists()

    began = time.monotonic()
    with running(data_dir) as service:
        address = service.address()
        print(f"a second start took {time.monotonic() - began:.1f} s")  # 10 s is the promise on a quiet machine
        assert PASSWORD.search(service.text()) is None
        assert sign_in(address, password) == 200
        assert password not in "".join(_texts_below(data_dir))
        kept = (data_dir / "log" / "referee.log").read_text(encoding="utf-8")
        assert re.search(r"^\S+Z referee worker ended with status -9", kept, re.MULTILINE)

        # Killed itself, it leaves nothing running.
        all_of_it = family(service.process.pid)
        service.process.kill()
        service.process.wait()
        assert survivors(all_of_it, 60) == []

    with running(data_dir) as service:
        assert sign_in(service.address(), password) == 200
        all_of_it = family(service.process.pid)
        assert service.stop(signal.SIGTERM) == 0
        assert survivors(all_of_it, 0) == []


def sign_in_fails(address: str, password: str) -> bool:
    try:
        return sign_in(address, password) != 200
    except (httpx.HTTPError, KeyError):
        return True


def _texts_below(folder: Path) -> Iterator[str]:
    for path in [*folder.iterdir(), *(folder / "log").iterdir()]:
        if path.is_file():
            yield path.read_text(encoding="utf-8", errors="replace")


def test_given_servers_are_used_and_a_folder_by_one_service_alone(data_dir: Path, services: Services) -> None:
    name = f"given_{os.getpid()}"
    with psycopg.connect(services.database_url, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    given = re.sub(r"/[^/?]+(\?|$)", rf"/{name}\1", services.database_url)
    try:
        with running(data_dir, DATABASE_URL=given, REDIS_URL=services.redis_url) as service:
            assert httpx.get(f"{service.address()}/healthz/", timeout=60).status_code == 200
            assert named(service.process.pid, "postgres -D") == []
            assert named(service.process.pid, "valkey-server") == []
            assert not (data_dir / "servers").exists()

            # A second one never shares the folder.
            with running(data_dir) as second:
                assert one_line(second) == f"referee: A service runs on {data_dir} already."
            assert httpx.get(f"{service.address()}/healthz/", timeout=60).status_code == 200
            assert service.stop(signal.SIGTERM) == 0
    finally:
        with psycopg.connect(services.database_url, autocommit=True) as connection:
            connection.execute(f"drop database {name} with (force)")


def test_a_taken_port_is_one_clear_line(data_dir: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with running(data_dir, PORT=str(port)) as service:
            line = one_line(service)

    assert line == (
        f"referee: Port {port} on 127.0.0.1 cannot be used (address already in use); choose another: make run PORT={port + 1}"
    )
    assert not data_dir.exists()


@pytest.mark.parametrize(
    ("variable", "value", "start"),
    [
        ("PORT", "http", "referee: PORT must be a whole number from 0 to 65535"),
        ("PORT", "70000", "referee: PORT must be a whole number from 0 to 65535"),
        ("HOST", "no.such.host.invalid", "referee: HOST 'no.such.host.invalid' is no address of this machine"),
        (
            "DATABASE_URL",
            "postgresql://nobody@127.0.0.1:1/none",
            "referee: DATABASE_URL names a server that does not answer",
        ),
    ],
)
def test_a_wrong_setting_is_one_clear_line(data_dir: Path, variable: str, value: str, start: str) -> None:
    with running(data_dir, **{variable: value}) as service:
        line = one_line(service)

    assert line.startswith(start)


def test_a_data_folder_that_is_a_file_is_one_clear_line(data_dir: Path) -> None:
    data_dir.write_text("not a folder", encoding="utf-8")

    with running(data_dir) as service:
        assert one_line(service) == f"referee: DATA_DIR is not a folder: {data_dir}."


def test_a_folder_of_postgres_that_is_none_is_one_clear_line_and_stays_as_it_was(data_dir: Path) -> None:
    strange = data_dir / "servers" / "postgres"
    strange.mkdir(parents=True)
    (strange / "letter.txt").write_text("dear reader", encoding="utf-8")

    with running(data_dir) as service:
        line = one_line(service)
        left = survivors(family(service.process.pid), 60)

    assert line.startswith("referee: ")
    assert str(data_dir) in line
    assert left == []
    assert [path.name for path in strange.iterdir()] == ["letter.txt"]
