import { expect, test } from 'vitest';
import { ServerUnreachable } from '../../src/base/errors.ts';

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', 'Start it, or correct DATABASE_URL.'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere', 'Start it, or correct DATABASE_URL.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'NODE_EXTRA_CA_CERTS'],
])('a server that fails with %s is named with the cause and the remedy', (code, message, remedy) => {
  const error = new ServerUnreachable('PostgreSQL', 'DATABASE_URL', {
    cause: Object.assign(new Error(message), { code }),
  });
  expect(error).toMatchObject({ exitCode: 69, message: expect.stringContaining(`(${message})`) });
  expect(error.message).toContain(remedy);
});
