# docker build -t perfume-warehouse .
# The running image has Node, the server's source, its production dependencies and the built front end; nothing else.
ARG NODE=node:24.21.0-bookworm-slim

FROM ${NODE} AS manifests
WORKDIR /app
# The lock file and every manifest first, so that a change of the source installs nothing anew.
COPY package.json package-lock.json .npmrc ./
COPY domain/package.json domain/
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY clients/package.json clients/

FROM manifests AS front-end
RUN npm ci --include=dev
COPY . .
RUN npm run build

# What the server needs at run time. React and its kin are in the front end's build already.
FROM manifests AS dependencies
RUN npm ci --omit=dev --workspace=@perfume/server --workspace=@perfume/contract --workspace=@perfume/domain \
  # better-auth can work with these, so npm brings them along; ours does not, and they are half of the whole.
  && cd node_modules && rm -rf vite vitest @vitest rolldown @rolldown react react-dom scheduler @types jiti postcss yaml

FROM ${NODE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# npm has no work here, and is the largest part of what scanners complain about.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && install -d -o node -g node -m 700 /data
# With each workspace's own node_modules, where npm put one.
COPY --from=dependencies /app ./
COPY domain ./domain
COPY contract ./contract
COPY server/src ./server/src
COPY --from=front-end /app/web/dist ./web/dist
COPY LICENSE ./
# Everything above belongs to root and is only read; /data alone is written to.
USER node
VOLUME /data
EXPOSE 8080
# Alive, not ready: a container must not be restarted because the database is away.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/src/main.ts"]
