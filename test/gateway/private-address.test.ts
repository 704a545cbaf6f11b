import { expect, test } from 'vitest';
import { publicOnly, type Resolve } from '../../src/gateway/origin.ts';
import { isPrivateAddress } from '../../src/gateway/private-address.ts';

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '::1',
  '::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  'not an address',
])('%s does not receive the key', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '1.1.1.1', '2606:4700::1111'])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

function resolvingTo(...addresses: string[]): Resolve {
  return (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

function lookUp(resolve: Resolve, all: boolean) {
  return new Promise((done, fail) => {
    publicOnly(resolve)('shop.example', { all }, (error, address) => (error ? fail(error) : done(address)));
  });
}

test('a host name that resolves to a private address is not connected to', async () => {
  await expect(lookUp(resolvingTo('127.0.0.1', '169.254.169.254'), true)).rejects.toThrow('no public address');
  await expect(lookUp(resolvingTo('10.0.0.1'), false)).rejects.toThrow('no public address');
});

test('of several addresses of a host name only the public ones are connected to', async () => {
  expect(await lookUp(resolvingTo('10.0.0.1', '93.184.215.14'), true)).toEqual([
    { address: '93.184.215.14', family: 4 },
  ]);
  expect(await lookUp(resolvingTo('10.0.0.1', '93.184.215.14'), false)).toBe('93.184.215.14');
});
