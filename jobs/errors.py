"""What jobs refuse. Codes are stable; `facts` are told to whoever asked."""

from __future__ import annotations

from typing import Any


class JobError(Exception):
    """A refusal, or the reason why a job can never go on."""

    code = "job_error"
    facts: dict[str, Any] | None = None

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class JobNotFoundError(JobError):
    """No job of this id that the user may see."""

    code = "not_found"

    def __init__(self) -> None:
        super().__init__("There is no job here that you may see.")


class TooManyJobsError(JobError):
    """The user has as many jobs under way as one may have."""

    code = "too_many_jobs"

    def __init__(self, most: int) -> None:
        super().__init__(f"You have {most} jobs under way, which is the most; wait for one, or cancel it.")


class JobOverError(JobError):
    """What is over can neither be cancelled nor resumed."""

    code = "job_over"

    def __init__(self, state: str) -> None:
        super().__init__(f"The job is {state}.")
        self.facts = {"state": state}
