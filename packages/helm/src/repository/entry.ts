import type { CodedError, ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import { type HelmFailures, helmFailure } from '../failures.ts';

/** A repository of repositories.yaml, with Helm's field names; unset texts are empty. */
export interface RepositoryEntry {
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  readonly insecure_skip_tls_verify: boolean;
  /**
   * Makes Helm send the credentials to every server. logtool keeps the field and ignores it: it sends them only to the
   * repository.
   */
  readonly pass_credentials_all: boolean;
}

const NAME = /^[A-Za-z0-9._-]+$/;

/** Checks a name, which becomes part of file names: no slash, no space. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw helmFailure('bad-repository-name', { name }, { exit: 'usage' });
}

/** The target of an address. */
type AddressOwner = HelmFailures['repository-address-unsupported']['of'];

/**
 * Checks that the address of a repository or chart is reachable by HTTP. `exit`: `usage` for an address from the
 * command line.
 */
export function checkAddress(address: string, of: AddressOwner, exit: ErrorClass = 'failure'): URL {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === 'oci') throw unsupported(of, 'oci', exit);
  const url = scheme !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(address) || url.hostname === '') {
    throw unsupported(of, 'scheme', exit);
  }
  if (url.pathname.endsWith('.prov')) {
    throw unsupported(of, 'provenance', exit);
  }
  return url;
}

function unsupported(
  of: AddressOwner,
  problem: HelmFailures['repository-address-unsupported']['problem'],
  exit: ErrorClass,
): CodedError {
  return helmFailure('repository-address-unsupported', { of, problem }, { exit });
}

/** Returns an address for messages: without credentials, and without the query, which may hold a key. */
export function shownAddress(address: string | URL): string {
  if (!URL.canParse(String(address))) return JSON.stringify(String(address).slice(0, 200));
  const { origin, pathname, protocol, host } = new URL(address);
  return origin === 'null' ? `${protocol}//${host}${pathname}` : origin + pathname;
}
