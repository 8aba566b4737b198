# The image of logtool. `docker build -t logtool .` builds it; `npm run build:image` makes the same without Docker.
# It has no shell, runs as user 65532 and writes to no file; charts/logtool runs `serve --in-cluster` in it.
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY packages/helm/package.json packages/helm/
COPY packages/kube/package.json packages/kube/
COPY packages/logtool/package.json packages/logtool/
COPY packages/simcluster/package.json packages/simcluster/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image holds what the npm package holds: one list, `files` of package.json, says what the program needs.
RUN node scripts/build/build.mjs \
  && npm pack --ignore-scripts --silent \
  && mkdir package \
  && tar --extract --gzip --strip-components=1 --directory=package --file="$(ls logtool-*.tgz)"

FROM gcr.io/distroless/nodejs22-debian12:nonroot
ARG VERSION=development
LABEL org.opencontainers.image.title="logtool" \
  org.opencontainers.image.description="All the logs of a Kubernetes workload as one true timeline." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.source="https://github.com/logtool/logtool" \
  org.opencontainers.image.version="${VERSION}"
WORKDIR /logtool
COPY --from=build /source/package ./
ENV NODE_ENV=production
USER 65532:65532
EXPOSE 7500
ENTRYPOINT ["/nodejs/bin/node", "/logtool/bin/logtool.js"]
CMD ["--help"]
