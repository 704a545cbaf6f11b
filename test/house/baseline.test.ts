import { describe, expect, it } from 'vitest';
import { baselineFiles } from '../../build/baseline.ts';
import { readText } from './source-files.ts';

describe('migrations and their diagram', () => {
  it('`npm run db:baseline` has written what makes and shows exactly the tables of src/db/tables', async () => {
    for (const [path, text] of Object.entries(await baselineFiles())) expect(readText(path)).toBe(text);
  });
});
