import type { KeyObject } from 'node:crypto';
import { GoError } from '../../../template/errors.ts';
import {
  type FunctionCall,
  type FunctionTable,
  type GoFunction,
  goFunction,
} from '../../../template/function.ts';
import { sprintf } from '../../../value/print.ts';
import type { GoInt, GoObject, Value } from '../../../value/value.ts';
import { addressBytes } from '../address/addresses.ts';
import { CorruptInputError, decodeBase64Text } from '../encoding/base64.ts';
import { readPem, writePem } from './pem.ts';
import { generateKeyPem, generateRsaKey, keyPem, type PrivateKey, readPrivateKey } from './private-key.ts';
import {
  type CertificateRequest,
  createCertificate,
  type ParsedCertificate,
  parseCertificate,
  type Signer,
} from './x509.ts';

/** A certificate and its key as PEM, in the fields `.Cert` and `.Key`. */
class Certificate implements GoObject {
  readonly goType = 'sprig.certificate';
  readonly #fields: ReadonlyMap<string, string>;

  constructor(cert: string, key: string) {
    this.#fields = new Map([
      ['Cert', cert],
      ['Key', key],
    ]);
  }

  field(name: string): Value | undefined {
    return this.#fields.get(name);
  }

  json(): string {
    return JSON.stringify(Object.fromEntries(this.#fields));
  }

  toString(): string {
    return `{${[...this.#fields.values()].join(' ')}}`;
  }
}

/** The charge for a key: generating one takes as long as writing this much text. */
const KEY_COST = 2 ** 20;
const KEY_BITS = 2048;
const DAY_NS = 24n * 3600n * 10n ** 9n;

interface Names {
  readonly commonName: string;
  readonly addresses: readonly Value[];
  readonly dnsNames: readonly Value[];
  readonly days: GoInt;
}

function requestOf(call: FunctionCall, names: Names, isAuthority: boolean): CertificateRequest {
  // Go's durations are 64-bit ns: 292 years or more overflow to the past.
  const lifeMs = Number(BigInt.asIntN(64, names.days.value * DAY_NS) / 1_000_000n);
  return {
    commonName: names.commonName,
    addresses: names.addresses.map(addressOf),
    dnsNames: names.dnsNames.map((name) => {
      if (typeof name === 'string') return name;
      throw new GoError(sprintf('error processing alternate dns name: %v is not a string', [name]));
    }),
    serial: call.randomBytes(16),
    notBefore: new Date(call.nowMs),
    notAfter: new Date(call.nowMs + lifeMs),
    isAuthority,
  };
}

function addressOf(value: Value): Buffer {
  if (typeof value !== 'string') throw new GoError(sprintf('error parsing ip: %v is not a string', [value]));
  const bytes = addressBytes(value);
  if (bytes === undefined) throw new GoError(`error parsing ip: ${value}`);
  return bytes;
}

function prefixed<Result>(prefix: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`${prefix}: ${error.message}`);
    throw error;
  }
}

const givenKey = (pem: string) => prefixed('parsing private key', () => readPrivateKey(pem));

function newKey(call: FunctionCall): KeyObject {
  call.charge(KEY_COST);
  return generateRsaKey(KEY_BITS);
}

function certificateOf(request: CertificateRequest, key: PrivateKey, signer: Signer): Certificate {
  const bytes = createCertificate(request, key, signer);
  return new Certificate(writePem({ type: 'CERTIFICATE', bytes }), key === 'dsa' ? '' : keyPem(key));
}

/** Returns a self-signed certificate; generates the key unless one is given. */
function selfSigned(call: FunctionCall, names: Names, isAuthority: boolean, key?: PrivateKey): Certificate {
  const request = requestOf(call, names, isAuthority);
  const own = key ?? newKey(call);
  return certificateOf(request, own, { key: own, certificate: undefined });
}

function parsedCertificate(what: string, pem: string): ParsedCertificate {
  const block = readPem(pem);
  if (block === undefined) throw new GoError('unable to decode certificate');
  try {
    return parseCertificate(block.bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new GoError(`error parsing certificate: ${what}.Bytes: ${message}`);
  }
}

function signedBy(call: FunctionCall, names: Names, authority: GoObject, key?: PrivateKey): Certificate {
  const textOf = (name: string) => authority.field(name) as string;
  const certificate = parsedCertificate('decodedSignerCert', textOf('Cert'));
  const signerKey = prefixed('error parsing private key', () => readPrivateKey(textOf('Key')));
  const request = requestOf(call, names, false);
  return certificateOf(request, key ?? newKey(call), { key: signerKey, certificate });
}

function decoded(text: string, what: string): string {
  try {
    return decodeBase64Text(text);
  } catch (error) {
    if (error instanceof CorruptInputError) throw new GoError(`unable to decode base64 ${what}`);
    throw error;
  }
}

const BUILD = goFunction(['string', 'string'], 'sprig.certificate', (call, cert64, key64) => {
  call.charge(cert64.length + key64.length);
  const cert = decoded(cert64, 'certificate');
  const key = decoded(key64, 'private key');
  parsedCertificate('decodedCert', cert);
  prefixed('error parsing private key', () => readPrivateKey(key));
  return new Certificate(cert, key);
});

const PRIVATE_KEY = goFunction(['string'], 'string', (call, kind) => {
  call.charge(KEY_COST * 4);
  return generateKeyPem(kind) ?? `Unknown type ${kind}`;
});

const LIST = '[]interface {}';
const GIVES = 'sprig.certificate';
const none = { addresses: [], dnsNames: [] };

/** Sprig's key and certificate functions: http://masterminds.github.io/sprig/crypto.html */
export const CERTIFICATE_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['genPrivateKey', PRIVATE_KEY],
  ['buildCustomCert', BUILD],
  [
    'genCA',
    goFunction(['string', 'int'], GIVES, (call, commonName, days) =>
      selfSigned(call, { commonName, days, ...none }, true),
    ),
  ],
  [
    'genCAWithKey',
    goFunction(['string', 'int', 'string'], GIVES, (call, commonName, days, pem) =>
      selfSigned(call, { commonName, days, ...none }, true, givenKey(pem)),
    ),
  ],
  [
    'genSelfSignedCert',
    goFunction(['string', LIST, LIST, 'int'], GIVES, (call, commonName, addresses, dnsNames, days) =>
      selfSigned(call, { commonName, addresses, dnsNames, days }, false),
    ),
  ],
  [
    'genSelfSignedCertWithKey',
    goFunction(
      ['string', LIST, LIST, 'int', 'string'],
      GIVES,
      (call, commonName, addresses, dnsNames, days, pem) =>
        selfSigned(call, { commonName, addresses, dnsNames, days }, false, givenKey(pem)),
    ),
  ],
  [
    'genSignedCert',
    goFunction(
      ['string', LIST, LIST, 'int', GIVES],
      GIVES,
      (call, commonName, addresses, dnsNames, days, authority) =>
        signedBy(call, { commonName, addresses, dnsNames, days }, authority),
    ),
  ],
  [
    'genSignedCertWithKey',
    goFunction(
      ['string', LIST, LIST, 'int', GIVES, 'string'],
      GIVES,
      (call, commonName, addresses, dnsNames, days, authority, pem) =>
        signedBy(call, { commonName, addresses, dnsNames, days }, authority, givenKey(pem)),
    ),
  ],
]);
