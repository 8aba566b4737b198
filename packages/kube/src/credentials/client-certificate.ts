import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Clock } from '../values/clock.ts';
import type { ClientCertificate, Credential, Grant } from './credential.ts';

/** Same as for a token file: a certificate is renewed long before it expires. */
const REREAD_AFTER_MS = 60_000;

/**
 * A client certificate of the kubeconfig. `read` reads its files again, because some are renewed in place: once a
 * minute, since some servers abort the handshake with an expired certificate, and after a 401. If the files cannot be
 * read, or only one of them is new so far, the last pair stays in use.
 */
export function clientCertificateCredential(
  first: ClientCertificate,
  read: (() => Promise<ClientCertificate>) | undefined,
  clock: Clock,
): Credential {
  let current: Grant = { certificate: first };
  let readAt = clock.now();

  async function readAgain(): Promise<void> {
    if (read === undefined) return;
    readAt = clock.now();
    // If the file is unreadable, the next call reads it again. The current pair may still be valid; otherwise the
    // server rejects it.
    const certificate = await read().catch(() => undefined);
    if (certificate === undefined || sameAs(certificate, current.certificate) || !isPair(certificate)) return;
    current = { certificate };
  }

  return {
    async grant() {
      if (clock.now() - readAt >= REREAD_AFTER_MS) await readAgain();
      return current;
    },

    async renew(sent) {
      if (current === sent) await readAgain();
      return current !== sent;
    },

    close() {},
  };
}

function sameAs(a: ClientCertificate, b: ClientCertificate | undefined): boolean {
  return b !== undefined && String(a.cert) === String(b.cert) && String(a.key) === String(b.key);
}

function isPair({ cert, key }: ClientCertificate): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    // A file is half written, or has no certificate at all.
    return false;
  }
}
