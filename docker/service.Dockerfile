# The image of one service. From the root of the repository:
#   docker build -f docker/service.Dockerfile --build-arg SERVICE=preview -t lapwing/preview .
# There is no build step: the same files run here, in tests and on a laptop. The folders keep their
# paths, because Node strips types only from files outside node_modules.
FROM node:24-bookworm-slim AS packages
ARG SERVICE
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY services/lib services/lib
COPY services/${SERVICE} services/${SERVICE}
RUN npm ci --omit=dev --ignore-scripts --workspace "@lapwing/${SERVICE}"

FROM node:24-bookworm-slim
ARG SERVICE
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=packages /app ./
WORKDIR /app/services/${SERVICE}
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8080
CMD ["node", "src/main.ts"]
