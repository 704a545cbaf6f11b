import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyWithoutKey, withoutKey } from '../../src/gateway/without-key.ts';

const key = 'Sentinel_0123/456-abcdef';

const hex = (letter: string) => letter.charCodeAt(0).toString(16).padStart(2, '0');
/** Ways to write a letter. */
const ways: Readonly<Record<string, (letter: string) => string>> = {
  plain: (letter) => letter,
  json: (letter) => `\\u00${hex(letter)}`,
  jsonUpper: (letter) => `\\u00${hex(letter).toUpperCase()}`,
  url: (letter) => `%${hex(letter)}`,
};
const written = (way: string) => [...key].map(ways[way]!).join('');

describe.each(Object.keys(ways))('a key written the way %s', (way) => {
  test('the key is masked in a body, which keeps its length', () => {
    const body = Buffer.from(`{"title":"before ${written(way)} after £"}`);
    const masked = bodyWithoutKey(body, key);
    expect(masked.toString()).toBe(`{"title":"before ${'*'.repeat(written(way).length)} after £"}`);
  });

  test('the key is masked in a line', () => {
    expect(withoutKey(`https://x.example/?k=${written(way)}&l=é`, key)).toBe('https://x.example/?k=[key]&l=é');
  });
});

test('a key whose letters are each escaped in another way is masked, and nothing else is', () => {
  const anyWay = fc.constantFrom(...Object.keys(ways));
  const around = fc.string({ unit: fc.constantFrom('a', '\\', '%', '&', '#', ';', '2', '5', 'u0', 'amp;', 'é', '<') });
  fc.assert(
    fc.property(around, around, fc.array(anyWay, { minLength: key.length, maxLength: key.length }), (a, b, chosen) => {
      const text = [...key].map((letter, i) => ways[chosen[i]!]!(letter)).join('');
      const masked = bodyWithoutKey(Buffer.from(`${a} ${text} ${b}`), key).toString();
      expect(masked).toBe(`${a} ${'*'.repeat(text.length)} ${b}`);
    }),
  );
});

test('a text without the key is unchanged', () => {
  for (const text of [`{"a":"\\u00a3 %20 &amp; ${key.slice(0, -1)}"}`, '\\', '%', '&', '&#', '&#x', '\\u00', '\0']) {
    const body = Buffer.from(text);
    expect(bodyWithoutKey(body, key)).toBe(body);
    expect(withoutKey(text, key)).toBe(text);
  }
});

test.each(['\\', '%', '%25', '&', '&amp;', '&#0', '&#', '\\u006', '\0', '&a'])(
  'a body of %j only takes time proportional to its length',
  (part) => {
    const body = Buffer.from(part.repeat((2 * 1024 * 1024) / part.length));
    const before = process.cpuUsage();
    bodyWithoutKey(body, key);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
  },
);
