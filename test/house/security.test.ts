import { describe, expect, it } from 'vitest';
import { codeOf, programFiles, readText } from './source-files.ts';

const paper = readText('docs/security.md');
const rows = [...paper.matchAll(/^\| (\d+) \| [^|]+ \| (.+) \|$/gm)].map((match) => ({
  item: Number(match[1]),
  answer: match[2]!,
}));

describe('docs/security.md', () => {
  it('has an answer to each item of the checklist', () => {
    const items = rows.map(({ item }) => item);
    const asked = [...Array.from({ length: 23 }, (_, i) => i + 1), 26, 27, 28];
    expect(asked.filter((item) => !items.includes(item))).toEqual([]);
    for (const { item, answer } of rows) expect(answer, `item ${item}`).toMatch(/`test\/|does not apply/);
  });

  it('names tests that exist, by their titles', () => {
    const absent: string[] = [];
    for (const { answer } of rows) {
      let text = '';
      for (const [, file, title] of answer.matchAll(/`(test\/[^`]+\.test\.ts)`|"([^"]+)"/g)) {
        if (file) text = readText(file);
        else if (title && !text.includes(title)) absent.push(title);
      }
    }
    expect(absent).toEqual([]);
  });
});

describe('the program', () => {
  const files = programFiles().filter(({ path }) => !path.startsWith('src/simulator/'));

  it('has one way out to the network, beside its databases', () => {
    const ways = /from '(?:node:)?(?:undici|https?|http2|net|tls|dgram)'/;
    const opens = files.filter(({ text }) => text.split('\n').some((line) => ways.test(line) && !isHarmless(line)));
    expect(opens.map(({ path }) => path)).toEqual([
      // Its guardian is spoken to over a socket of this machine.
      'src/db/embedded/guardian.js',
      'src/db/embedded/lease.ts',
      'src/db/embedded/server-port.js',
      'src/gateway/origin.ts',
    ]);
    const fetching = files.filter(({ text }) => /\bfetch\(|\bWebSocket\b|\bEventSource\b/.test(codeOf(text)));
    // In the browser, from the server it came from.
    expect(fetching.map(({ path }) => path)).toEqual(['src/dashboard/page.client.js']);
  });
});

/** Types, and what only looks at an address. */
function isHarmless(line: string): boolean {
  const imported = /import (?:type )?\{([^}]*)\}/.exec(line)?.[1] ?? '';
  if (line.startsWith('import type')) return true;
  return imported.split(',').every((name) => /^\s*(type \w+|isIP|BlockList)\s*$/.test(name));
}
