# logtool as an image: `docker build -t logtool .`. It runs as nobody in particular, writes nothing to disk and holds no
# shell; charts/logtool runs `serve --in-cluster --auth kubernetes` in it.
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm install --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs

FROM gcr.io/distroless/nodejs22-debian12:nonroot
WORKDIR /logtool
COPY --from=build /source/package.json /source/LICENSE ./
COPY --from=build /source/bin ./bin
COPY --from=build /source/dist ./dist
COPY --from=build /source/charts ./charts
ENV NODE_ENV=production
USER 65532:65532
EXPOSE 7500
ENTRYPOINT ["/nodejs/bin/node", "/logtool/bin/logtool.js"]
CMD ["--help"]
