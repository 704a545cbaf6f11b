import { describe, expect, it } from 'vitest';
import { codeOf, programFiles } from './source-files.ts';

describe('the program', () => {
  const files = programFiles().filter(({ path }) => !path.startsWith('src/simulator/'));

  it('the program has one exit to the network, beside databases, buckets and alerts', () => {
    const ways = /(?:from |import\()'(?:node:)?(?:undici|https?|http2|net|tls|dgram)(?:\/[^']+)?'/;
    const opens = files.filter(
      ({ path, text }) =>
        !path.endsWith('.d.ts') && text.split('\n').some((line) => ways.test(line) && !isHarmless(line)),
    );
    expect(opens.map(({ path }) => path)).toEqual([
      'src/base/bucket-requests.ts',
      // The embedded server, on this machine.
      'src/db/embedded/use.ts',
      // Tell ALERT_URL, which a person has named, and follow no redirect.
      'src/followers/outbox/receiver.ts',
      'src/gateway/origin.ts',
    ]);
    // Scripts of the browser ask the explorer alone, by its policy.
    const fetching = files.filter(({ text }) => /\bfetch\(|\bWebSocket\b|\bEventSource\b/.test(codeOf(text)));
    expect(fetching.map(({ path }) => path)).toEqual(['src/web/explorer.client.js']);
  });
});

/** Types, and what only looks at an address. */
function isHarmless(line: string): boolean {
  const imported = /import (?:type )?\{([^}]*)\}/.exec(line)?.[1] ?? '';
  if (line.startsWith('import type')) return true;
  return imported.split(',').every((name) => /^\s*(type \w+|isIP|BlockList)\s*$/.test(name));
}
