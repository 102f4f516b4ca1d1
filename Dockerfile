# The service with its dashboard and docs site. By default it stores its data in a SQLite file in /data; set DATABASE_URL
# and ROLE to run several processes: docs/deployment.md.

# To pin by digest: --build-arg NODE_IMAGE=node:24.21.0-slim@sha256:...
ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
# Install scripts are not needed: Node.js comes from the base image, and the database drivers contain their binaries.
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY tools/scripts tools/scripts
COPY tools/demo tools/demo
COPY clients/typescript clients/typescript
COPY migrations migrations
COPY src src
COPY dashboard dashboard
COPY tools/docs-site tools/docs-site
COPY docs docs
COPY examples examples
COPY .env.example ARCHITECTURE.md CONTRIBUTING.md ./
RUN node tools/scripts/build.mjs service dashboard docs

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
RUN npm ci --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
WORKDIR /app
# For /server/version: the image contains no Git repository to read the commit from.
ARG COMMIT_SHA
ARG BUILT_AT
ENV COMMIT_SHA=${COMMIT_SHA} BUILT_AT=${BUILT_AT} NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN install -d -o node -g node /data
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/dashboard/dist dashboard/dist
COPY --from=build /app/docs/dist docs/dist
COPY package.json LICENSE ./
# The user id of node instead of its name: Kubernetes can verify only numeric ids as non-root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require(process.env.TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/health/ready', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
