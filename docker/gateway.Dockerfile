# The gateway with the built page. From the root of the repository:
#   docker build -f docker/gateway.Dockerfile -t lapwing/gateway .

# For a release, pin it: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS page
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY services/lib services/lib
COPY frontend frontend
RUN npm ci --ignore-scripts --workspace @lapwing/frontend --workspace @lapwing/widget
# --build-arg LAPWING_MAPS=false leaves the 2D and 3D views out of the page.
ARG LAPWING_MAPS=true
RUN LAPWING_MAPS=${LAPWING_MAPS} npm run build --workspace @lapwing/frontend

# Of the repository, only what the gateway needs in production.
FROM ${NODE_IMAGE} AS focused
WORKDIR /app
COPY . .
RUN node docker/build/focus-workspace.ts @lapwing/gateway /manifests > /workspaces \
  && mkdir /sources && xargs -a /workspaces cp -r --parents -t /sources \
  && find /sources -name package.json -delete

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY --from=focused /manifests ./
# Types, source maps and READMEs are a third of the bytes, and nothing reads them.
RUN npm ci --omit=dev --ignore-scripts \
  && find . -path '*/node_modules/*' -type f \
    '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' ')' -delete

FROM ${NODE_IMAGE} AS gateway
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 FRONTEND_DIR=/app/frontend/dist
WORKDIR /app
# Packages change rarely, so that an edit of the source pushes the small layers alone.
COPY --from=packages /app ./
COPY --from=focused /sources ./
COPY --from=page /app/frontend/dist frontend/dist
WORKDIR /app/gateway
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8080 9464
CMD ["node", "src/main.ts"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="lapwing/gateway" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"

# skaffold.yaml copies edited sources into it, and Node then restarts the process.
FROM gateway AS development
USER root
RUN chown -R 1000:1000 /app/gateway /app/services
USER 1000:1000
CMD ["node", "--watch", "src/main.ts"]

# The last stage is what a build without a target makes.
FROM gateway
