import { expect, test } from 'vitest';
import { ServerUnreachable } from '../../src/base/errors.ts';

test.each([
  ['ECONNREFUSED', 69, 'connect ECONNREFUSED 127.0.0.1:5432', 'Start it, or correct DATABASE_URL.'],
  ['ENOTFOUND', 69, 'getaddrinfo ENOTFOUND nowhere', 'Start it, or correct DATABASE_URL.'],
  ['28P01', 78, 'password authentication failed for user "ann"', 'Check its user, password and database'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 78, 'self-signed certificate in certificate chain', 'NODE_EXTRA_CA_CERTS'],
])('a server that fails with %s ends with %i and is named with cause and remedy', (code, exitCode, message, remedy) => {
  const error = new ServerUnreachable('PostgreSQL', 'DATABASE_URL', {
    cause: Object.assign(new Error(message), { code }),
  });
  expect(error).toMatchObject({ exitCode, message: expect.stringContaining(`(${message})`) });
  expect(error.message).toContain(remedy);
});
