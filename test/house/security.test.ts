import { describe, expect, it } from 'vitest';
import { codeOf, programFiles, readText, unwrapped } from './source-files.ts';

/** Answers of a paper's lists, by their number. */
function answersOf(path: string): { item: string; answer: string }[] {
  const rows = unwrapped(readText(path)).matchAll(/^\* (I?\d+): [^—]+ — (.+)$/gm);
  return [...rows].map(([, item, answer]) => ({ item: item!, answer: answer! }));
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

const securityIndex = 'test/house/security-index.md';
const faultsIndex = 'test/house/faults-index.md';

describe.each([securityIndex, faultsIndex])('%s', (path) => {
  it('the index names only tests that exist, by their titles', () => {
    const absent: string[] = [];
    for (const { item, answer } of answersOf(path)) {
      let text = '';
      for (const [, file, title] of answer.matchAll(/`(test\/[^`]+\.test\.ts)`|"([^"]+)"/g)) {
        if (file) text = readText(file);
        else if (title && !text.includes(title)) absent.push(`${item}: ${title}`);
      }
    }
    expect(absent).toEqual([]);
  });
});

describe(securityIndex, () => {
  it('the index has an answer to each item of the checklist', () => {
    const rows = answersOf(securityIndex);
    const items = rows.map(({ item }) => item);
    const asked = [...numbers(23), '26', '27', '28'];
    expect(asked.filter((item) => !items.includes(item))).toEqual([]);
    for (const { item, answer } of rows) expect(answer, `item ${item}`).toMatch(/`test\/|does not apply/);
  });
});

describe(faultsIndex, () => {
  it('the index has one answer to each fault and each invariant: a test, or why there is none', () => {
    const rows = answersOf(faultsIndex);
    expect(rows.map(({ item }) => item)).toEqual([...numbers(73), ...numbers(32).map((number) => `I${number}`)]);
    const kinds = /`test\/|not tested|only by `npm run prove -- --profile faults`|cannot (happen|be broken)/i;
    for (const { item, answer } of rows) expect(answer, `item ${item}`).toMatch(kinds);
  });
});

describe('the program', () => {
  const files = programFiles().filter(({ path }) => !path.startsWith('src/simulator/'));

  it('the program has one exit to the network, beside its databases and the alerts', () => {
    const ways = /(?:from |import\()'(?:node:)?(?:undici|https?|http2|net|tls|dgram|nodemailer)(?:\/[^']+)?'/;
    const opens = files.filter(
      ({ path, text }) =>
        !path.endsWith('.d.ts') && text.split('\n').some((line) => ways.test(line) && !isHarmless(line)),
    );
    expect(opens.map(({ path }) => path)).toEqual([
      // The embedded server, its lock and its port, on this machine.
      'src/db/embedded/folder-lock.ts',
      'src/db/embedded/open-embedded.ts',
      'src/db/embedded/postmaster.ts',
      // Tell ALERT_URL, which a person has named, and follow no redirect.
      'src/followers/messages/mail.ts',
      'src/followers/messages/webhook.ts',
      'src/gateway/origin.ts',
    ]);
    const fetching = files.filter(({ text }) => /\bfetch\(|\bWebSocket\b|\bEventSource\b/.test(codeOf(text)));
    // In the browser, from the server it came from.
    expect(fetching.map(({ path }) => path)).toEqual(
      ['explorer', 'live', 'search'].map((name) => `src/web/${name}.client.js`),
    );
  });
});

/** Types, and what only looks at an address. */
function isHarmless(line: string): boolean {
  const imported = /import (?:type )?\{([^}]*)\}/.exec(line)?.[1] ?? '';
  if (line.startsWith('import type')) return true;
  return imported.split(',').every((name) => /^\s*(type \w+|isIP|BlockList)\s*$/.test(name));
}
