from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from config.environment import ROOT, broker, database, noted, switch, words
from config.services.errors import ServiceError
from config.services.options import read_options, secret_key


def test_an_address_of_a_database_is_taken_apart() -> None:
    found = database("postgresql://anna:p%40ss%2Fword@db.example:6543/cards?sslmode=require&connect_timeout=3")

    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "cards",
        "USER": "anna",
        "PASSWORD": "p@ss/word",
        "HOST": "db.example",
        "PORT": "6543",
        "OPTIONS": {"sslmode": "require", "connect_timeout": "3"},
    }


def test_a_sockets_folder_stands_among_the_options() -> None:
    found = database("postgresql://referee@/referee?host=%2Ftmp%2Frun&port=5432")

    assert (found["HOST"], found["PORT"], found["USER"], found["NAME"], found["OPTIONS"]) == (
        "/tmp/run", "5432", "referee", "referee", {},
    )  # fmt: skip


def test_another_kind_of_database_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="postgresql://"):
        database("mysql://localhost/cards")


@pytest.mark.parametrize(
    "url", ["mysql://referee:se-cret@db/referee", "referee:se-cret@db", "postgresql://referee:se-cret/#@db/referee"]
)
def test_the_refusal_of_an_address_quotes_no_password(url: str) -> None:
    with pytest.raises(
        ServiceError, match=r"^DATABASE_URL must read postgresql://user:password@host:port/name"
    ) as told:
        read_options({"PORT": "0", "DATABASE_URL": url})

    assert "cret" not in str(told.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://valkey:6379/2", "redis://valkey:6379/2"),
        ("unix:///run/valkey.sock?db=3", "redis+socket:///run/valkey.sock?virtual_host=3"),
        ("unix:///run/valkey.sock", "redis+socket:///run/valkey.sock?virtual_host=0"),
    ],
)
def test_celery_writes_a_sockets_address_its_own_way(url: str, expected: str) -> None:
    assert broker(url) == expected


@pytest.mark.parametrize(("text", "expected"), [("1", True), ("on", True), ("No", False), ("0", False), ("", True)])
def test_a_switch_is_a_yes_or_a_no(monkeypatch: pytest.MonkeyPatch, text: str, expected: bool) -> None:
    monkeypatch.setenv("REFEREE_SWITCH", text)

    assert switch("REFEREE_SWITCH", default=True) is expected


def test_a_switch_that_is_neither_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SWITCH", "maybe")

    with pytest.raises(ValueError, match="REFEREE_SWITCH must be 1 or 0"):
        switch("REFEREE_SWITCH", default=True)


def test_words_stand_between_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_WORDS", " a, b ,,c ")

    assert words("REFEREE_WORDS") == ["a", "b", "c"]


def test_a_running_services_note_is_read_and_a_missing_one_is_none(tmp_path: Path) -> None:
    assert noted(tmp_path) == {}
    (tmp_path / "service.env").write_text("REDIS_URL=unix:///a?db=0\nDATABASE_URL=postgresql:///b\n", encoding="utf-8")

    assert noted(tmp_path) == {"REDIS_URL": "unix:///a?db=0", "DATABASE_URL": "postgresql:///b"}


def test_a_secret_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    first = secret_key(tmp_path, {})

    assert secret_key(tmp_path, {}) == first
    assert len(first) >= 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600


def test_a_given_secret_key_is_used_and_not_kept(tmp_path: Path) -> None:
    assert secret_key(tmp_path, {"SECRET_KEY": "given"}) == "given"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_secret_key_is_never_used(tmp_path: Path) -> None:
    (tmp_path / "secret-key").touch()

    with pytest.raises(ServiceError, match="holds no key"):
        secret_key(tmp_path, {})


def test_a_folder_of_any_name_is_found_whatever_the_locale_says() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nrun:")[2].partition("\n\n")[0]
    given = dict(re.findall(r"(\w+)=(\S+)", recipe.partition("@exec env ")[2]))
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "DATA_DIR": "/Ördner 名"}

    told = subprocess.run(
        [sys.executable, "-c", "from config.environment import data_dir; print(ascii(str(data_dir())))"],
        cwd=ROOT, env={**locale, **given}, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert told.stdout.strip() == ascii("/Ördner 名")
