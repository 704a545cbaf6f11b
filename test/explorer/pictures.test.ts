import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages } from '../../src/web/pages/index.ts';
import { readText, root } from '../house/source-files.ts';
import { pictures, picturesFolder } from './pictures.ts';

describe('the pictures of the explorer', () => {
  const files = pictures.map(({ name }) => `${name}.png`);

  it('the pictures show every page', () => {
    expect(pictures.map(({ page }) => page).sort()).toEqual(pages.map(({ path }) => path).sort());
  });

  it('every picture exists as a small PNG, and there is no other (npm run screenshots)', () => {
    expect(readdirSync(join(root, picturesFolder)).sort()).toEqual([...files].sort());
    for (const file of files) {
      const bytes = readFileSync(join(root, picturesFolder, file));
      expect(bytes.subarray(1, 4).toString(), file).toBe('PNG');
      expect(bytes.length, file).toBeLessThan(150_000);
    }
  });

  it('all pictures are on the explorer’s page, and one is at the top of the README', () => {
    const page = readText('docs/analyse/explorer.md');
    expect(files.filter((file) => !page.includes(`(../pictures/${file})`))).toEqual([]);
    expect(readText('README.md').split('## ')[0]).toContain(`(${picturesFolder}/explorer.png)`);
  });
});
