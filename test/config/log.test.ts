import { expect, test } from 'vitest';
import { RequestFailed } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ level: 'trace', to: { write: (line) => void lines.push(line) } }));
  return lines.join('');
}

test('no key or password is logged, at any depth', () => {
  const text = logged((log) => {
    log.info({ key: 'hush', headers: { 'X-RapidAPI-Key': 'hush', 'x-gateway-key': 'hush', authorization: 'hush' } });
    log.info({ request: { headers: { cookie: 'hush', authorization: 'hush' } }, connectionString: 'hush' });
    log.info({ databaseUrl: 'hush', options: { password: 'hush' } });
  });
  expect(text.split('\n').filter(Boolean)).toHaveLength(3);
  expect(text).not.toContain('hush');
});

test('errors are logged without fields added by libraries', () => {
  const cause = Object.assign(new Error('connect to postgres://me:hush@db.example/x failed'), {
    code: 'ECONNREFUSED',
    request: { headers: { 'x-gateway-key': 'hush' } },
    parameters: ['hush'],
    options: { headers: ['x-gateway-key', 'hush'] },
  });
  const text = logged((log) =>
    log.error({ err: new RequestFailed('unavailable', { where: 'grocery', what: 'cut', cause }) }, 'failed'),
  );
  expect(text).not.toContain('hush');
  const { err } = JSON.parse(text) as {
    err: { type: string; stack?: string; cause: { code: string; message: string; stack?: string } };
  };
  expect(err).toMatchObject({ type: 'RequestFailed', cause: { code: 'ECONNREFUSED' } });
  expect(err.stack).toBeUndefined();
  expect(err.cause.message).toContain('postgres://db.example/x');
  expect(err.cause.stack).toContain('log.test.ts');
});
