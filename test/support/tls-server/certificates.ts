import { generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface CertificateOptions {
  /** DNS names and IPv4 addresses; default: localhost and 127.0.0.1. */
  readonly names?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

export interface TestCertificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

/**
 * Creates a self-signed certificate (RFC 5280), which is its own authority: enough to be trusted or not.
 * Writes DER here, because Node can read certificates but not create them.
 */
export function selfSigned(options: CertificateOptions = {}): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from('test server')))));
  const notBefore = options.notBefore ?? new Date(Date.now() - DAY_MS);
  const notAfter = options.notAfter ?? new Date(Date.now() + DAY_MS);
  const names = (options.names ?? ['localhost', '127.0.0.1']).map((text) =>
    isIP(text) === 4 ? der(0x87, Buffer.from(text.split('.').map(Number))) : der(0x82, Buffer.from(text)),
  );
  const authority = sequence(der(0x01, Buffer.from([0xff])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(oid(BASIC_CONSTRAINTS), der(0x04, authority)),
        sequence(oid(SUBJECT_ALT_NAME), der(0x04, sequence(...names))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function utcTime(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}
