import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import { messageOf, send } from '../../src/followers/outbox/receiver.ts';

const { signal } = new AbortController();
const clock = { now: () => new Date('2026-03-01T05:00:00Z') };
const message = messageOf(12, {
  text: 'Pricebook, prices, uk 2026-03-01:\nSkimmed Milk 2L: costs £1.15 – “cheap”',
  fields: { event: 'watch' },
});

let mailbox: string[];
let server: SMTPServer;
let refuses: boolean;

/** A mail server that knows one user. */
async function listen(options: SMTPServerOptions = {}): Promise<number> {
  server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'me@shop.example' && password === 'p@ss/word'
        ? done(null, { user: username })
        : done(new Error(`no such user: ${username} ${password}`)),
    onData(stream, _, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      stream.on('end', () => {
        if (refuses) return done(Object.assign(new Error('busy'), { responseCode: 451 }));
        mailbox.push(text);
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.server.address() as AddressInfo).port;
}

const urlOf = (port: number, user = 'me%40shop.example:p%40ss%2Fword@') =>
  `smtp://${user}127.0.0.1:${port}/?from=prices@shop.example&to=anna@shop.example,ben@shop.example`;

const deliver = (url: string) => send({ clock, receiver: { url, secret: null }, timeoutMs: 1_000 }, message, signal);

beforeEach(() => {
  mailbox = [];
  refuses = false;
});
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

describe('messages by e-mail', () => {
  test('the first line is the subject, and a message that is sent again has the same id', async () => {
    const port = await listen();
    refuses = true;
    expect(await deliver(urlOf(port))).toBe('it answered 451');
    refuses = false;
    expect(await deliver(urlOf(port))).toBeNull();
    expect(await deliver(urlOf(port))).toBeNull();
    const idOf = (mail: string) => /^Message-ID: <(.+)>/im.exec(mail)?.[1];
    expect(mailbox).toHaveLength(2);
    expect(mailbox[0]).toContain('Subject: Pricebook, prices, uk 2026-03-01\r\n');
    expect(mailbox[0]).toContain('To: anna@shop.example, ben@shop.example');
    expect(mailbox[0]).toContain('Skimmed Milk 2L');
    expect(idOf(mailbox[0]!)).toMatch(/^12\.[0-9a-f]{16}@shop\.example$/);
    expect(idOf(mailbox[1]!)).toBe(idOf(mailbox[0]!));
  });

  test('a refused password is told without the password', async () => {
    const port = await listen();
    expect(await deliver(urlOf(port, 'me%40shop.example:wrong@'))).toBe('it refused the user name or the password');
  });

  test('a server that is silent, or not there, is told as such', async () => {
    const port = await listen({ onConnect: () => undefined });
    expect(await deliver(urlOf(port))).toBe('no response within 1 s');
    expect(await deliver(urlOf(1))).toMatch(/^it could not be reached \(E/);
  });
});

describe('ALERT_URL for e-mail', () => {
  const mistakesOf = (env: Record<string, string>): string => {
    try {
      loadConfig({ ALERT_URL: urlOf(25), ...env }, { cwd: '/' });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('an address, a parameter or a secret that does not fit is refused without the password', async () => {
    await listen();
    expect(mistakesOf({})).toBe('');
    for (const wrong of [
      { ALERT_URL: 'smtp://me:hidden-word@127.0.0.1/?from=prices@shop.example' },
      { ALERT_URL: 'smtp://me:hidden-word@127.0.0.1/?from=prices@shop.example&to=anna' },
      { ALERT_URL: `${urlOf(25, 'me:hidden-word@')}&cc=anna@shop.example` },
      { ALERT_SECRET: 'hidden-word' },
    ]) {
      expect(mistakesOf(wrong)).toMatch(/ALERT_(URL|SECRET)/);
      expect(mistakesOf(wrong)).not.toContain('hidden-word');
    }
  });
});
