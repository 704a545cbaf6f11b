import { defineConfig } from 'drizzle-kit';

/** For drizzle-kit's own tools, for example `npx drizzle-kit studio --config drizzle.config.ts`. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/db/tables/*.ts',
  out: './migrations',
  casing: 'snake_case',
  dbCredentials: { url: process.env['DATABASE_URL'] ?? '' },
});
