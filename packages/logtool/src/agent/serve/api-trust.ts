import type { RequestHeader, RequestHeaderProblem } from '../../agent-api/front-proxy/request-header.ts';
import { readCertificates } from '../../agent-api/front-proxy/request-header.ts';

/** The common name of the certificate of the API of logtool; the agents' own have another. */
const API_NAME = 'logtool-api';

/**
 * Returns how an agent recognizes the API of logtool, and in which headers that names its caller: as the API server does
 * to an extension. `bundle`: the certificates of the authorities that sign for the API, PEM. Throws if it has none.
 */
export function trustOf(bundle: string): RequestHeader {
  const authorities = readCertificates(bundle, 'client-ca-file');
  if (!Array.isArray(authorities)) throw new UntrustedBundle(authorities);
  return {
    authorities,
    allowedNames: [API_NAME],
    userHeaders: ['x-remote-user'],
    uidHeaders: ['x-remote-uid'],
    groupHeaders: ['x-remote-group'],
    extraPrefixes: ['x-remote-extra-'],
  };
}

/** A bundle of authorities that cannot be read. */
export class UntrustedBundle extends Error {
  readonly problem: RequestHeaderProblem['problem'];

  constructor({ problem }: RequestHeaderProblem) {
    super(problem);
    this.name = 'UntrustedBundle';
    this.problem = problem;
  }
}
