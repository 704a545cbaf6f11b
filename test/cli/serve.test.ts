import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { ask, Cookies, logIn } from '../support/visitor.ts';
import { useHousehold } from './pricebook.ts';

const { run, start } = useHousehold({ book: useInstallation() });

const password = 'correct horse battery';

test('serve shows the data, requires the configured password, and ends on request', async () => {
  const serving = start(['serve'], { PORT: '0', DASHBOARD_PASSWORD: password });
  const [, url] = await serving.until(/Explorer: (http:\/\/127\.0\.0\.1:\d+)/);
  const asked = await fetch(`${url}/`, { redirect: 'manual' });
  expect([asked.status, asked.headers.get('location')]).toEqual([303, '/login?to=%2F']);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  const cookies = new Cookies();
  expect((await logIn(url!, cookies, password)).status).toBe(303);
  expect((await ask(`${url}/`, cookies)).status).toBe(200);

  serving.process.kill('SIGTERM');
  expect((await serving.ended).code).toBe(143);
});

test('serve on all interfaces prints the addresses that other machines can use', async () => {
  const serving = start(['serve'], { PORT: '0', HOST: '0.0.0.0', DASHBOARD_PASSWORD: password });
  const [, printed = ''] = await serving.until(/Explorer: (.*)\n/);
  const [own, ...others] = printed.split(', ');
  const port = new URL(own!).port;
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  expect(own).toBe(`http://127.0.0.1:${port}`);
  expect(others).toEqual(outside.map(({ address }) => `http://${address}:${port}`));
  for (const url of [own, ...others]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('serve on a PORT in use exits with 78 and one line, because clients expect the explorer there', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  try {
    const { code, stderr } = await run(['serve'], { PORT: String(port) });
    expect(code).toBe(78);
    expect(stderr).toBe(
      `pricebook: Cannot listen on 127.0.0.1:${port}: another program uses it. Correct HOST or PORT.\n`,
    );
  } finally {
    other.close();
  }
});

test('serve without authentication on a public address exits with 78 and one line', async () => {
  const { code, stderr } = await run(['serve'], { PORT: '0', HOST: '0.0.0.0' });
  expect(code).toBe(78);
  expect(stderr).toMatch(
    /^pricebook: The explorer would be open .* 0\.0\.0\.0; nothing was started\. Set DASHBOARD_PASSWORD, [^\n]*\n$/,
  );
});
