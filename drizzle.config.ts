import { defineConfig } from 'drizzle-kit';

/** For `npm run db:generate` and drizzle-kit's other tools, such as `npx drizzle-kit studio`. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/db/tables/*.ts',
  out: './migrations',
  casing: 'snake_case',
  dbCredentials: { url: process.env['DATABASE_URL'] ?? '' },
});
