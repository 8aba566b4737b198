import * as tls from 'node:tls';
import { FileUnreadable, readSmallFile } from '../config/read-file.ts';

/** Where Linux distributions keep the machine's authorities, in the order of Go (hence kubectl). */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Returns the authorities that the machine trusts, for a server or a proxy without its own. A company adds its
 * authority there, and kubectl uses it, while Node knows only Mozilla's list. SSL_CERT_FILE names another file;
 * NODE_EXTRA_CA_CERTS adds to it. Undefined if the machine has no readable list: Node's own list then decides.
 */
export async function publicAuthorities(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly (string | Buffer)[] | undefined> {
  const system = systemStore() ?? (await firstReadable([env.SSL_CERT_FILE ?? '', ...SYSTEM_FILES]));
  if (system === undefined) return undefined;
  const extra = await firstReadable([env.NODE_EXTRA_CA_CERTS ?? '']);
  return [...system, ...(extra ?? [])];
}

/** Reads the key chain of macOS or the store of Windows, which Node 22.15 and later can read. */
function systemStore(): readonly string[] | undefined {
  if (process.platform !== 'darwin' && process.platform !== 'win32') return undefined;
  const { getCACertificates } = tls as { getCACertificates?: (type: 'system') => string[] };
  return getCACertificates === undefined
    ? undefined
    : [...tls.rootCertificates, ...getCACertificates('system')];
}

async function firstReadable(paths: readonly string[]): Promise<readonly Buffer[] | undefined> {
  for (const path of paths.filter((candidate) => candidate !== '')) {
    try {
      const bytes = await readSmallFile(path);
      if (bytes.includes('-----BEGIN')) return [bytes];
    } catch (error) {
      // The next path may have them; without any readable file, Node's own list serves.
      if (!(error instanceof FileUnreadable)) throw error;
    }
  }
  return undefined;
}
