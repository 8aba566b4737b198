import type { KubeError } from '../errors.ts';
import { LogtoolError } from '../values/errors.ts';
import type { ClusterName } from './describe.ts';

/** Why a handshake failed and what helps; codes of https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
export function describeTls(error: KubeError, cluster: ClusterName): LogtoolError {
  const { code, why, next } = explain(error, cluster);
  const what = `no secure connection to the cluster at ${cluster.server}`;
  return new LogtoolError({ code, what, why, next, cause: error });
}

function explain(error: KubeError, { context, server }: ClusterName) {
  const tlsCode = error.code ?? '';
  const cluster = `the cluster of context "${context}"`;
  switch (tlsCode) {
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_UNTRUSTED':
    case 'CERT_SIGNATURE_FAILURE':
    case 'INVALID_CA':
      return {
        code: 'tls-unknown-authority',
        why: `its certificate is signed by an authority that is not trusted (${tlsCode})`,
        next: `set certificate-authority-data of ${cluster} in the kubeconfig to the cluster's own authority`,
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return {
        code: 'tls-wrong-host',
        why: `its certificate is for other names: ${error.message}`,
        next: `use a server address that the certificate names, or set tls-server-name of ${cluster}`,
      };
    case 'CERT_HAS_EXPIRED':
      return {
        code: 'tls-expired',
        why: 'its certificate has expired',
        next: 'renew the certificate of the API server, or check the clock of this machine',
      };
    case 'CERT_NOT_YET_VALID':
      return {
        code: 'tls-not-yet-valid',
        why: 'its certificate is not valid yet',
        next: 'check the clock of this machine',
      };
  }
  const said = `${tlsCode} ${error.message}`;
  if (/wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long|http[ _]request/i.test(said)) {
    return {
      code: 'tls-no-tls',
      why: 'what answers there does not speak TLS',
      next: `check the server address of ${cluster}: ${server} may have to begin with http://`,
    };
  }
  if (/no[ _]application[ _]protocol/i.test(said)) {
    return {
      code: 'tls-no-http1',
      why: 'what answers there does not speak HTTP/1.1',
      next: `let what stands at ${server} offer HTTP/1.1, as API servers do, or name the API server itself`,
    };
  }
  if (/protocol[ _]version|unsupported[ _]protocol/i.test(said)) {
    return {
      code: 'tls-version',
      why: 'the server speaks no TLS version that is still safe (1.2 or newer)',
      next: 'renew the API server, or what stands before it',
    };
  }
  if (/certificate[ _]required/i.test(said)) {
    return {
      code: 'tls-client-certificate',
      why: 'the server wants a client certificate, or a newer one',
      next: `check client-certificate-data of the user of context "${context}"`,
    };
  }
  if (/bad[ _]certificate|certificate[ _](expired|unknown|revoked)|unknown[ _]ca/i.test(said)) {
    return {
      code: 'tls-client-certificate',
      why: `the server did not accept the client certificate: ${plainText(error.message)}`,
      next: `check client-certificate-data of the user of context "${context}"`,
    };
  }
  return {
    code: 'tls',
    why: error.message === '' ? tlsCode : plainText(error.message),
    next: `check the server address and the certificates of ${cluster} in the kubeconfig`,
  };
}

/** OpenSSL's reason alone: its line also has thread, error number, function and source file in it. */
function plainText(message: string): string {
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
}
