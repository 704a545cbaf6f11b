import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStartedByNpx } from '../../src/app/config/started-by-npm.ts';
import { createConsole } from '../../src/cli/console.ts';
import { commandOf, ownCommand, withOwnCommand } from '../../src/cli/hint.ts';

describe('a command that a message names', () => {
  test.each([
    [{ isCheckout: true, isByNpx: false }, 'npm run --silent pricebook -- status'],
    // Whatever else npx may have started: in a checkout it knows no pricebook.
    [{ isCheckout: true, isByNpx: true }, 'npm run --silent pricebook -- status'],
    [{ isCheckout: false, isByNpx: true }, 'npx pricebook status'],
    [{ isCheckout: false, isByNpx: false }, 'pricebook status'],
  ])('is given as the program was started: %o', (started, command) => {
    expect(withOwnCommand('See `pricebook status`.', commandOf(started))).toBe(`See \`${command}\`.`);
  });

  test('is found behind its variables and options, as often as it is named, and nowhere else', () => {
    const text =
      'pricebook: run `A_B=x C= pricebook --now 2026-03-01 crawl` or `pricebook crawl --abandon 3`; `git apply`, `pricebook`, pricebook status.';
    expect(withOwnCommand(text, 'npx pricebook')).toBe(
      'pricebook: run `A_B=x C= npx pricebook --now 2026-03-01 crawl` or `npx pricebook crawl --abandon 3`; `git apply`, `pricebook`, pricebook status.',
    );
  });

  test('is all that changes in a text, whatever else stands in it', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('`', 'pricebook ', '`pricebook plan`', 'X=1 ', '\n'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(withOwnCommand(text, 'pricebook')).toBe(text);
        expect(withOwnCommand(text, '$& own').replaceAll('$& own', 'pricebook')).toBe(text);
      }),
    );
  });

  test('reaches the person at the terminal as it is given in a checkout', () => {
    const stderr = new PassThrough();
    const { signal } = new AbortController();
    const stream = stderr as unknown as NodeJS.WriteStream;
    createConsole(stream, stream, signal).say('`pricebook crawl` makes the first.');
    expect(String(stderr.read())).toBe(`\`${ownCommand} crawl\` makes the first.\n`);
    expect(ownCommand).toBe('npm run --silent pricebook --');
  });
});

test('npx is known by what it tells the programs that it starts', () => {
  expect(isStartedByNpx({ npm_command: 'exec' })).toBe(true);
  expect(isStartedByNpx({ npm_command: 'run-script' })).toBe(false);
  expect(isStartedByNpx({})).toBe(false);
});
