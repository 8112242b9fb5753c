# The image of one service. From the root of the repository:
#   docker build -f docker/service.Dockerfile --build-arg SERVICE=preview -t lapwing/preview .
# There is no build step: the same files run here, in tests and on a laptop. The folders keep their
# paths, because Node strips types only from files outside node_modules.

# For a release, pin it: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

# Of the repository, only what this service needs in production.
FROM ${NODE_IMAGE} AS focused
ARG SERVICE
WORKDIR /app
COPY . .
RUN node docker/build/focus-workspace.ts "@lapwing/${SERVICE}" /manifests > /workspaces \
  && mkdir /sources && xargs -a /workspaces cp -r --parents -t /sources \
  && find /sources -name package.json -delete

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY --from=focused /manifests ./
# Types, source maps and READMEs are a third of the bytes, and nothing reads them.
RUN npm ci --omit=dev --ignore-scripts \
  && find . -path '*/node_modules/*' -type f \
    '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' ')' -delete

FROM ${NODE_IMAGE} AS service
ARG SERVICE
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
# Packages change rarely, so that an edit of the source pushes the small second layer alone.
COPY --from=packages /app ./
COPY --from=focused /sources ./
WORKDIR /app/services/${SERVICE}
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8080 9464
CMD ["node", "src/main.ts"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="lapwing/${SERVICE}" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"

# skaffold.yaml copies edited sources into it, and Node then restarts the process.
FROM service AS development
USER root
RUN chown -R 1000:1000 /app/services
USER 1000:1000
CMD ["node", "--watch", "src/main.ts"]

# The last stage is what a build without a target makes.
FROM service
