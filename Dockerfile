# The service with its dashboard. Alone it keeps all in a SQLite file below /data; with DATABASE_URL and ROLE it is one
# process of many: docs/deployment.md.

# To pin by digest: --build-arg NODE_IMAGE=node:24.21.0-slim@sha256:...
ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
# No package needs its install script here: Node.js is the image's, the database drivers bring their binaries.
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY tools/scripts tools/scripts
COPY tools/demo tools/demo
COPY clients/typescript clients/typescript
COPY migrations migrations
COPY src src
COPY dashboard dashboard
RUN node tools/scripts/build.mjs service dashboard

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
RUN npm ci --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
WORKDIR /app
# What /server/version says of the code: an image has no repository to read it from.
ARG COMMIT_SHA
ARG BUILT_AT
ENV COMMIT_SHA=${COMMIT_SHA} BUILT_AT=${BUILT_AT} NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN install -d -o node -g node /data
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/dashboard/dist dashboard/dist
COPY package.json LICENSE ./
# node's number, not its name: Kubernetes believes only a number to be no root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require(process.env.TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/health/ready', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
