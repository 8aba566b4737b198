import type { CodedError, ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import { type HelmFailures, helmFailure } from '../failures.ts';

/** A repository of repositories.yaml, by the names that Helm gives its fields; texts are empty if nothing is set. */
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
   * Helm then sends the credentials to every server. logtool keeps the field and ignores it: it sends them
   * only to the repository.
   */
  readonly pass_credentials_all: boolean;
}

const NAME = /^[A-Za-z0-9._-]+$/;

/** Names become parts of file names: no slash, no space. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw helmFailure('bad-repository-name', { name }, { exit: 'usage' });
}

/** What an address leads to. */
type AddressOwner = HelmFailures['repository-address-unsupported']['of'];

/**
 * The address of a repository or of a chart, as long as it can be reached by HTTP. `exit`: `usage` for one that somebody
 * typed.
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

/** For messages: without credentials and without the query, which may hold a key. */
export function shownAddress(address: string | URL): string {
  if (!URL.canParse(String(address))) return JSON.stringify(String(address).slice(0, 200));
  const { origin, pathname, protocol, host } = new URL(address);
  return origin === 'null' ? `${protocol}//${host}${pathname}` : origin + pathname;
}
