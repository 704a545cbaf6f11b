import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createConsole } from '../../src/cli/console.ts';

function openConsole(isTTY: boolean) {
  const stdout = new PassThrough() as unknown as NodeJS.WriteStream;
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  const read = () => String((stderr as unknown as PassThrough).read() ?? '');
  const interrupt = new AbortController();
  return { console: createConsole(stdout, stderr, interrupt.signal), stdout, read, interrupt };
}

test('what is said goes above the lines that are redrawn', () => {
  const { console, read } = openConsole(true);
  console.redraw(['bar 1', 'bar 2']);
  expect(read()).toBe('bar 1\nbar 2\n');
  console.say('a word');
  expect(read()).toBe('\x1b[2A\x1b[0Ja word\nbar 1\nbar 2\n');
  console.redraw(['bar 3']);
  expect(read()).toBe('\x1b[2A\x1b[0Jbar 3\n');
  console.redraw([]);
  console.say('the end');
  expect(read()).toBe('the end\n');
});

test('what is said steers no terminal, whoever wrote it', () => {
  const { console, read } = openConsole(true);
  console.say('a \x1b[2J\x1b]0;title\x07word\r\n\u009b2Jof\t\u202eothers\n');
  expect(read()).toBe('a word \nof\tothers\n');
});

test('where there is no terminal nothing is redrawn', () => {
  const { console, read } = openConsole(false);
  console.redraw(['bar']);
  expect(read()).toBe('');
});

test('once nobody reads any more, writing says so instead of failing', async () => {
  const { console, stdout } = openConsole(false);
  expect(await console.data('one\n')).toBe(true);
  stdout.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
  expect(await console.data('two\n')).toBe(false);
});

test('a command that was asked to end writes no more data', async () => {
  const { console, interrupt } = openConsole(false);
  interrupt.abort();
  expect(await console.data('one\n')).toBe(false);
});

test('data are as wide as the terminal they go to, as wide as somebody asked, and elsewhere as wide as they are', () => {
  const streams = (isTTY: boolean) =>
    Object.assign(new PassThrough(), { isTTY, columns: 60 }) as unknown as NodeJS.WriteStream;
  const { signal } = new AbortController();
  expect(createConsole(streams(true), streams(true), signal).dataWidth()).toBe(60);
  expect(createConsole(streams(false), streams(true), signal).dataWidth()).toBeNull();
  expect(createConsole(streams(false), streams(true), signal, 72).dataWidth()).toBe(72);
});

test('waiting for a slow reader leaves no listener behind', async () => {
  const { console, stdout } = openConsole(false);
  const slow = stdout as unknown as PassThrough;
  const before = slow.listenerCount('close') + slow.listenerCount('error') + slow.listenerCount('drain');
  const row = 'x'.repeat(20_000);
  for (let i = 0; i < 50; i += 1) {
    const written = console.data(row);
    slow.read();
    expect(await written).toBe(true);
  }
  expect(slow.listenerCount('close') + slow.listenerCount('error') + slow.listenerCount('drain')).toBe(before);
});
