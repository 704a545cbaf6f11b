import { expect, test } from 'vitest';
import { publicOnly, type Resolve } from '../../src/gateway/origin.ts';
import { isPrivateAddress } from '../../src/gateway/private-address.ts';
import addresses from './private-address.json' with { type: 'json' };

test.each(addresses.private)('%s does not receive the key', (address) => {
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
