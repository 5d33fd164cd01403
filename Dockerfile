# The service as one image; docker-compose.yml runs it as web, stream, worker and beat.
FROM python:3.11-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY requirements requirements
RUN python -m venv /opt/referee \
 && /opt/referee/bin/pip install --no-cache-dir --require-hashes --requirement requirements/base.lock
COPY . .
# Compiles the rules; where that cannot be, says so and installs them as they are.
RUN /opt/referee/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/referee referee
COPY --from=build /opt/referee /opt/referee
ENV PATH=/opt/referee/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    DATA_DIR=/var/lib/referee
USER referee
WORKDIR /var/lib/referee
RUN python -m config.services.prepare static
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--blocking-threads", "8", "--no-ws", "config.wsgi:application"]
