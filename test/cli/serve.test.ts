import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { useCliHome } from './pricebook.ts';

const { run, start } = useCliHome({ book: useInstallation() });

const password = 'correct horse battery';

test('serve shows the data, requires the configured password, and ends on request', async () => {
  const serving = start(['serve'], { PORT: '0', DASHBOARD_PASSWORD: password });
  const [, url] = await serving.until(/Explorer: (http:\/\/127\.0\.0\.1:\d+)/);
  expect((await fetch(`${url}/`)).status).toBe(401);
  expect((await fetch(`${url}/jobs/board/api/queues`)).status).toBe(401);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const authorization = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
  expect((await fetch(`${url}/`, { headers: { authorization } })).status).toBe(200);

  serving.process.kill('SIGTERM');
  expect((await serving.ended).code).toBe(143);
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
