import { type ErrorClass, LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';

/** A repository of repositories.yaml, by the names that Helm gives its fields; texts are empty where nothing is set. */
export interface RepositoryEntry {
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  readonly insecure_skip_tls_verify: boolean;
  /** Helm then sends the credentials to every server. It is kept, and not heeded: they go to the repository alone. */
  readonly pass_credentials_all: boolean;
}

const NAME = /^[A-Za-z0-9._-]+$/;

/** Names become parts of file names: no slash, no space. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw usageError({
    code: 'bad-repository-name',
    what: `${JSON.stringify(name.slice(0, 100))} cannot be the name of a repository`,
    why: 'a name has letters, digits, dots, underscores and hyphens only',
    next: 'choose another name',
  });
}

/**
 * The address of a repository or of a chart, as long as it can be reached by HTTP. `exit`: `usage` for one that somebody
 * typed.
 */
export function checkAddress(address: string, whose: string, exit: ErrorClass = 'failure'): URL {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === 'oci')
    throw unsupported(whose, 'it is in an OCI registry (oci://), which logtool cannot read', exit);
  const url = scheme !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(address) || url.hostname === '') {
    throw unsupported(whose, 'its address is not one of http:// or https://', exit);
  }
  if (url.pathname.endsWith('.prov')) {
    throw unsupported(whose, 'it is a provenance file (.prov), which logtool cannot check', exit);
  }
  return url;
}

function unsupported(whose: string, why: string, exit: ErrorClass): LogtoolError {
  return new LogtoolError({
    code: 'repository-address-unsupported',
    what: `${whose} cannot be used`,
    why,
    next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
    exit,
  });
}

/** For messages: without credentials and without the query, which may hold a key. */
export function shownAddress(address: string | URL): string {
  if (!URL.canParse(String(address))) return JSON.stringify(String(address).slice(0, 200));
  const { origin, pathname, protocol, host } = new URL(address);
  return origin === 'null' ? `${protocol}//${host}${pathname}` : origin + pathname;
}
