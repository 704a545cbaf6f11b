import { describe, expect, it } from 'vitest';
import { tablesAsSql } from '../../build/baseline.ts';
import { readText } from './source-files.ts';

describe('migrations/tables.sql', () => {
  it('the file makes exactly the tables that src/db/tables declares: `npm run db:baseline` writes it', async () => {
    expect(readText('migrations/tables.sql')).toBe(await tablesAsSql());
  });
});
