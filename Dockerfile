# UPReg as one image for web and workers: `docker build -t upreg .`; how they are run together stands in compose.yaml.

FROM python:3.13-slim AS packages
COPY requirements.lock .
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

FROM python:3.13-slim
# pg_dump and pg_restore, for `manage.py backup` and `restore`.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home upreg && install -d -o upreg -g upreg /var/lib/upreg /var/lib/upreg/media /kernels
COPY --from=packages /venv /venv
WORKDIR /upreg
COPY manage.py pyproject.toml CHANGELOG.md README.md ./
COPY analysis analysis
COPY docs docs
COPY reports reports
COPY samples samples
COPY static static
COPY templates templates
COPY upreg_site upreg_site
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    UPREG_VAR_DIR=/var/lib/upreg UPREG_KERNEL_CACHE=/kernels UPREG_HOST=0.0.0.0
USER upreg
# Compiled once here, by the user who runs them and in the place where they stay: no worker waits for it.
RUN python -m analysis.kernels
EXPOSE 8000
STOPSIGNAL SIGTERM
CMD ["python", "manage.py", "start", "--no-worker", "--no-samples"]
