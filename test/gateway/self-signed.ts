import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/** A new self-signed certificate for `localhost` (RFC 5280, written as DER). */
export function selfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('550403'), utf8('localhost'))));
  const body = sequence(
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, privateKey);
  const cert = sequence(body, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...header), content]);
}

const sequence = (...parts: readonly Buffer[]) => element(0x30, ...parts);
const set = (...parts: readonly Buffer[]) => element(0x31, ...parts);
const integer = (value: number) => element(0x02, Buffer.of(value));
const oid = (hex: string) => element(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string) => element(0x0c, Buffer.from(text));
const utcTime = (text: string) => element(0x17, Buffer.from(text));

/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
