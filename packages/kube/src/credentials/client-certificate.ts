import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Clock } from '../values/clock.ts';
import type { ClientCertificate, Credential, Grant } from './credential.ts';

/** As a token file: whatever renews a certificate does so long before it ends. */
const REREAD_AFTER_MS = 60_000;

/**
 * A client certificate of the kubeconfig. `read` reads its files again, because some are renewed in place:
 * once a minute, since some servers abort the handshake with an expired one, and when the server answers 401
 * to it. If files cannot be read, or only one of them is new so far, the last pair stays in use.
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
    // An unreadable file is read again the next time; the present pair may still be good, and if not the
    // server says so.
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
    // Half written, or no certificate at all.
    return false;
  }
}
