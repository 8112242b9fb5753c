# The gateway with the built page. From the root of the repository:
#   docker build -f docker/gateway.Dockerfile -t lapwing/gateway .
FROM node:24-bookworm-slim AS page
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY services/lib services/lib
COPY frontend frontend
RUN npm ci --ignore-scripts --workspace @lapwing/frontend
RUN npm run build --workspace @lapwing/frontend

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY services/lib services/lib
COPY gateway gateway
RUN npm ci --omit=dev --ignore-scripts --workspace @lapwing/gateway

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 FRONTEND_DIR=/app/frontend/dist
WORKDIR /app
COPY --from=packages /app ./
COPY --from=page /app/frontend/dist frontend/dist
WORKDIR /app/gateway
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8080
CMD ["node", "src/main.ts"]
