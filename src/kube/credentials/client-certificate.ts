import type { ClientCertificate, Credential, Grant } from './credential.ts';

/**
 * A client certificate of the kubeconfig. `read` reads its files again, for those that are renewed in place: the
 * server answers 401 to one that has expired.
 */
export function clientCertificateCredential(
  first: ClientCertificate,
  read: (() => Promise<ClientCertificate>) | undefined,
): Credential {
  let current: Grant = { certificate: first };
  return {
    grant: async () => current,
    async renew(sent) {
      if (current === sent && read !== undefined) {
        const certificate = await read();
        if (!sameAs(certificate, current.certificate)) current = { certificate };
      }
      return current !== sent;
    },
    close() {},
  };
}

function sameAs(a: ClientCertificate, b: ClientCertificate | undefined): boolean {
  return b !== undefined && String(a.cert) === String(b.cert) && String(a.key) === String(b.key);
}
