// The certificate library's dependency injection stands on it, and does not bring it along.
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
  /** For a server on these host names and addresses. */
  issueServer(names: readonly string[]): Promise<Identity>;
  /** For a user: the common name is the user, the organisations are the groups (kubernetes.io: X.509 client certificates). */
  issueClient(
    user: string,
    groups: readonly string[],
    options?: { readonly expired?: boolean },
  ): Promise<Identity>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/**
 * A certificate authority of this process's own. Validity goes by the machine's clock, not by a simulated one: it is
 * the client's TLS library that checks it.
 */
export async function createAuthority(name: string): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto as typeof globalThis.crypto);
  const now = Date.now();
  const validFrom = new Date(now - DAY_MS);
  const validTo = new Date(now + 3650 * DAY_MS);
  const authorityKeys = await makeKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ CN: [name] }],
    notBefore: validFrom,
    notAfter: validTo,
    signingAlgorithm: ALGORITHM,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });

  const issue = async (
    subject: ConstructorParameters<typeof x509.Name>[0],
    usage: string,
    names: readonly string[],
    notAfter: Date,
  ): Promise<Identity> => {
    const keys = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial(),
      subject: new x509.Name(subject).toString(),
      issuer: root.subject,
      notBefore: validFrom,
      notAfter,
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(root),
        ...(names.length === 0
          ? []
          : [
              new x509.SubjectAlternativeNameExtension(
                names.map((value) => ({
                  type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const),
                  value,
                })),
              ),
            ]),
      ],
    });
    return { key: await pemKey(keys.privateKey), certificate: certificate.toString('pem') };
  };

  return {
    certificate: root.toString('pem'),
    issueServer: (names) =>
      issue([{ CN: ['kube-apiserver'] }], x509.ExtendedKeyUsage.serverAuth, names, validTo),
    issueClient(user, groups, options) {
      const subject = [...groups.map((group) => ({ O: [group] })), { CN: [user] }];
      const notAfter = options?.expired === true ? new Date(now - DAY_MS / 2) : validTo;
      return issue(subject, x509.ExtendedKeyUsage.clientAuth, [], notAfter);
    },
  };
}

function makeKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function pemKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}

/** A positive serial number of 128 bits. */
function serial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}
