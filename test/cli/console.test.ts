import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createConsole } from '../../src/cli/console.ts';
import { formatTable } from '../../src/cli/output/table.ts';

function openConsole(isTTY: boolean) {
  const stdout = new PassThrough() as unknown as NodeJS.WriteStream;
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  const read = () => String((stderr as unknown as PassThrough).read() ?? '');
  const interrupt = new AbortController();
  return { console: createConsole(stdout, stderr, interrupt.signal), stdout, read, interrupt };
}

test('messages cannot contain control sequences of the terminal', () => {
  const { console, read } = openConsole(true);
  console.say('a \x1b[2J\x1b]0;title\x07word\r\n\u009b2Jof\t\u202eothers\n');
  expect(read()).toBe('a word\nof\tothers\n');
});

test('writing to a closed pipe returns false instead of failing', async () => {
  const { console, stdout } = openConsole(false);
  expect(await console.data('one\n')).toBe(true);
  stdout.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
  expect(await console.data('two\n')).toBe(false);
});

test('an interrupted command writes no more data', async () => {
  const { console, interrupt } = openConsole(false);
  interrupt.abort();
  expect(await console.data('one\n')).toBe(false);
});

test('columns are as wide as their contents, and numbers are right-aligned', () => {
  const rows = [1, 12].map((id) => [id, id === 1 ? 'Tea' : 'Milk', id === 1 ? '10.50' : '1.20']);
  const table = 'Id  Title  Price\n--  -----  -----\n 1  Tea    10.50\n12  Milk    1.20\n';
  expect(formatTable(['id', 'title', 'price'], rows)).toBe(table);
});

test('a table fits the terminal: empty columns are named below it, headings wrap, and long texts are cut', () => {
  const columns = ['product id', 'title', 'cost', 'price before'];
  vi.stubEnv('COLUMNS', '38');
  expect(formatTable(columns, [['1042', 'Meridian British Whole Milk', null, '1.20']])).toBe(
    'Product                          Price\nid       Title                  before\n' +
      '-------  ---------------------  ------\n1042     Meridian British Who…    1.20\nEmpty here: Cost\n',
  );
  vi.unstubAllEnvs();
});

test('foreign text cannot control the terminal or break the table', () => {
  const table = formatTable(['title'], [['\x1b[31mred\x1b[0m\x1b]0;owned\x07 tea\r\nmore']]);
  expect(table).toBe('Title\n------------\nred tea more\n');
  expect(formatTable(['title'], [['\u202etea\u2066 \u200fmilk']])).toBe('Title\n--------\ntea milk\n');
});
