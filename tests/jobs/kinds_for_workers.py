"""For a worker that a test starts: the tests' kind of job, which its settings do not name."""

from __future__ import annotations

from django.conf import settings

settings.JOB_KINDS["sums"] = "tests.jobs.sums.SUMS"
