# One image for both roles, see docs/install.md. By default it runs the coordinator. Its address must be one that runners
# and the containers of jobs can reach:
#   docker run -p 8929:8929 -v switchyard:/var/lib/switchyard -e SWITCHYARD_EXTERNAL_URL=http://ci.example.com:8929 switchyard
# To run a runner, as root and with the engine of the host, after `runner register` with the same volume:
#   docker run --user root -v /var/run/docker.sock:/var/run/docker.sock -v switchyard-runner:/var/lib/switchyard-runner \
#     --stop-signal SIGQUIT --stop-timeout 3600 switchyard runner run

# The full image has the compiler that better-sqlite3 needs where there is no prebuilt one.
FROM node:20-bookworm AS build
WORKDIR /opt/switchyard
COPY package.json package-lock.json ./
# It is the only dependency with an install script.
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild better-sqlite3
COPY rolldown.config.js tsconfig.json ./
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
    && find dist -name '*.map' -delete

FROM node:20-bookworm-slim
# tini is process 1: it reaps orphaned git processes and forwards signals.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git git-lfs tini \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/switchyard
COPY --from=build /opt/switchyard/package.json ./
COPY --from=build /opt/switchyard/node_modules node_modules
COPY --from=build /opt/switchyard/dist dist
# The files for `include: template`.
COPY config/templates config/templates
# The memory of a process: see the units in systemd/.
RUN printf '%s\n' '#!/bin/sh' \
        'case "$1" in' \
        'coordinator) export MALLOC_TRIM_THRESHOLD_=131072 ;;' \
        'runner) export MALLOC_MMAP_THRESHOLD_=65536 MALLOC_ARENA_MAX=2 ;;' \
        'esac' \
        'exec node /opt/switchyard/dist/cli/main.js "$@"' > /usr/local/bin/switchyard \
    && chmod 755 /usr/local/bin/switchyard \
    && install -d -o node -g node -m 700 /var/lib/switchyard
# The release command writes the version (scripts/release/image-label.mjs).
LABEL org.opencontainers.image.title="Switchyard" org.opencontainers.image.licenses="MIT"
LABEL org.opencontainers.image.version="1.0.0"
# The settings of a runner are in its volume, with its data.
ENV NODE_ENV=production CONFIG_FILE=/var/lib/switchyard-runner/config.toml
USER node
VOLUME /var/lib/switchyard
EXPOSE 8929
# A coordinator that can reach its store, or a runner whose daemon responds.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD if grep --quiet --null-data --line-regexp runner /proc/1/cmdline; then switchyard runner status; \
        else node --eval "fetch('http://127.0.0.1:8929/-/readiness').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"; fi
ENTRYPOINT ["tini", "--", "switchyard"]
CMD ["coordinator", "--listen", "0.0.0.0:8929", "--data-dir", "/var/lib/switchyard"]
