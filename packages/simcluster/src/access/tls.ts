// The certificate library's dependency injection requires this module, but does not install it.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** Key and certificate of one party, as PEM. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

export interface Authority {
  /** The CA's certificate as PEM. */
  readonly certificate: string;
  /** Issues a certificate for a server with these host names and addresses. */
  issueServer(names: readonly string[]): Promise<Identity>;
  /** Issues a certificate for a server that is also a client, of this common name. */
  issuePeer(name: string, names: readonly string[]): Promise<Identity>;
  /**
   * Issues a certificate for a user: the common name is the user, the organizations are the groups (kubernetes.io:
   * X.509 client certificates).
   */
  issueClient(
    user: string,
    groups: readonly string[],
    options?: { readonly expired?: boolean },
  ): Promise<Identity>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/**
 * Creates a certificate authority of this process. Validity uses the machine's clock, not a simulated one, because the
 * client's TLS library checks it.
 */
export async function createAuthority(name: string): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto as typeof globalThis.crypto);
  const now = Date.now();
  const validFrom = new Date(now - DAY_MS);
  const validTo = new Date(now + 3650 * DAY_MS);
  const keys = await makeKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ CN: [name] }],
    notBefore: validFrom,
    notAfter: validTo,
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const issuer = { root, key: keys.privateKey, validFrom };
  return {
    certificate: root.toString('pem'),
    issueServer: (names) =>
      issue(issuer, {
        subject: [{ CN: ['kube-apiserver'] }],
        usages: [x509.ExtendedKeyUsage.serverAuth],
        names,
        notAfter: validTo,
      }),
    issuePeer: (commonName, names) =>
      issue(issuer, {
        subject: [{ CN: [commonName] }],
        usages: [x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth],
        names,
        notAfter: validTo,
      }),
    issueClient: (user, groups, options) =>
      issue(issuer, {
        subject: [...groups.map((group) => ({ O: [group] })), { CN: [user] }],
        usages: [x509.ExtendedKeyUsage.clientAuth],
        names: [],
        notAfter: options?.expired === true ? new Date(now - DAY_MS / 2) : validTo,
      }),
  };
}

interface Issuer {
  readonly root: x509.X509Certificate;
  readonly key: webcrypto.CryptoKey;
  readonly validFrom: Date;
}

interface Order {
  readonly subject: ConstructorParameters<typeof x509.Name>[0];
  readonly usages: string[];
  /** Host names and addresses of a server; empty for a client. */
  readonly names: readonly string[];
  readonly notAfter: Date;
}

async function issue({ root, key, validFrom }: Issuer, order: Order): Promise<Identity> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: new x509.Name(order.subject).toString(),
    issuer: root.subject,
    notBefore: validFrom,
    notAfter: order.notAfter,
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(order.usages),
      await x509.AuthorityKeyIdentifierExtension.create(root),
      ...alternativeNames(order.names),
    ],
  });
  return { key: await pemKey(keys.privateKey), certificate: certificate.toString('pem') };
}

function alternativeNames(names: readonly string[]): readonly x509.Extension[] {
  if (names.length === 0) return [];
  const typed = names.map((value) => ({
    type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const),
    value,
  }));
  return [new x509.SubjectAlternativeNameExtension(typed)];
}

function makeKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function pemKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}

/** Returns a positive serial number of 128 bits. */
function serial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}
