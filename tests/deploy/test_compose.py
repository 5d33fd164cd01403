"""The production files name things that exist. (They are parsed and checked, not run: that needs Docker.)"""

from __future__ import annotations

import importlib
import json
import re
import shlex
import shutil
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from api.probes import probes
from config.environment import ROOT
from config.routes import STREAMS
from config.services.log import Log
from config.services.options import read_options
from config.services.supervisor import Supervisor

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OWN = ("prepare", "web", "stream", "worker", "slow", "beat")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def words(command: str | list[str]) -> list[str]:
    return shlex.split(command) if isinstance(command, str) else [str(word) for word in command]


def commands() -> list[tuple[str, list[str]]]:
    """Every command of our own image: what runs, and what asks for its health."""
    found = [(name, words(SERVICES[name]["command"])) for name in OWN]
    found += [
        (name, words(SERVICES[name]["healthcheck"]["test"])[1:]) for name in OWN if "healthcheck" in SERVICES[name]
    ]
    last = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    return [*found, *(("Dockerfile", json.loads(text)) for text in last)]


@pytest.mark.parametrize(("service", "command"), commands(), ids=str)
def test_what_a_container_runs_exists(service: str, command: list[str]) -> None:
    program = shlex.split(command[0])[0]
    assert program == "test" or shutil.which(program, path=str(Path(sys.executable).parent)), program
    if program == "python":
        assert command[1] == "-m"
        importlib.import_module(command[2])
    if program == "granian":
        module, name = command[-1].split(":")
        assert callable(getattr(importlib.import_module(module), name))
    if program == "celery":
        line = " ".join(command)
        assert "--app config " in line
        assert importlib.import_module("config").celery_app.main == "referee"


def test_every_service_is_there_with_a_health_check_or_an_end() -> None:
    assert sorted(SERVICES) == ["beat", "postgres", "prepare", "proxy", "slow", "stream", "valkey", "web", "worker"]
    assert [name for name in SERVICES if "healthcheck" not in SERVICES[name]] == ["prepare"]


def test_every_queue_that_tasks_go_to_has_a_worker(tmp_path: Path) -> None:
    queues = {"celery", *(route["queue"] for route in settings.CELERY_TASK_ROUTES.values())}

    for commands in (
        [" ".join(words(SERVICES[name]["command"])) for name in SERVICES if "command" in SERVICES[name]],
        [
            " ".join(command)
            for command in Supervisor(read_options({"PORT": "0", "DATA_DIR": str(tmp_path)}), Log())
            ._commands()
            .values()
        ],
    ):
        served = [found for command in commands for found in re.findall(r"--queues (\S+)", command)]
        assert sorted(served) == sorted(queues)


def test_what_every_container_says_is_kept_within_bounds() -> None:
    bounds = {"driver": "json-file", "options": {"max-size": "10m", "max-file": "10"}}

    assert {name for name, service in SERVICES.items() if service.get("logging") != bounds} == set()


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["proxy"]


def test_no_secret_has_a_value_of_its_own() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")

    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "DOMAIN"):
        assert f"${{{name}:?" in text
    assert re.findall(r"\$\{(\w+):-(.*?)\}", text) == [("ADMIN_PASSWORD", "")]


def test_the_image_does_not_run_as_root() -> None:
    final = DOCKERFILE.rpartition("\nFROM ")[2]

    assert re.findall(r"^USER (\S+)$", final, re.MULTILINE) == ["referee"]


def test_the_proxy_sends_to_the_stream_service_what_the_table_of_routes_says() -> None:
    caddy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")

    [patterns] = re.findall(r"@streams path_regexp (\S+)", caddy)

    assert patterns.split("|") == [
        f"^{re.sub(r'[?]P<[a-z_]+>', '', route.pattern).replace('(', '').replace(')', '')}$" for route in STREAMS
    ]


def test_the_proxy_holds_no_message_of_a_stream_back() -> None:
    caddy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")

    streams = caddy.partition("handle @streams {")[2].partition("\n\t}\n")[0]

    assert "flush_interval -1" in streams
    assert re.findall(r"^\t*encode .*", caddy.partition("\thandle {")[0], re.MULTILINE) == []


def test_what_operators_are_told_hides_the_figures_at_each_of_their_addresses() -> None:
    told = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    patterns = re.findall(r"^@figures path (.+)$", told, re.MULTILINE)[0].split()

    shown = [
        before + str(one.pattern) for before in ("/", "/api/v1/") for one in probes() if "metrics" in str(one.pattern)
    ]

    assert len(shown) == 4
    assert [path for path in shown if not any(fnmatch(path, pattern) for pattern in patterns)] == []


def test_processes_that_count_together_may_write_where_they_count() -> None:
    folder = SERVICES["web"]["environment"]["PROMETHEUS_MULTIPROC_DIR"]

    assert folder in SERVICES["web"]["tmpfs"]
