import { decodedPart } from '@logtool/kube/src/connection/proxy.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { checkAddress, type RepositoryEntry, shownAddress } from './entry.ts';
import { reasonOf } from './errors.ts';
import { type Answer, getOnce } from './get-once.ts';
import { readIdentity } from './server-trust.ts';

/** As many as Go follows. */
const REDIRECT_LIMIT = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface FetchOptions {
  readonly what: string;
  readonly accept: string;
  readonly limitBytes: number;
  readonly userAgent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** As of getOnce. */
  readonly silenceLimitMs?: number | undefined;
}

/**
 * The bytes at an address, with what the repository's entry says about its server. Redirects are followed; user,
 * password and client certificate are shown to the repository's own origin only (scheme, host and port), hence never
 * from https to http, and not again after another server was asked.
 * @throws LogtoolError `repository-unreachable`, `repository-answer`, or as checkAddress and readIdentity do
 */
export async function fetchFile(
  address: string,
  entry: RepositoryEntry,
  options: FetchOptions,
): Promise<Uint8Array> {
  const { origin } = checkAddress(entry.url, `the repository ${entry.name}`);
  const credentials = basicOf(entry);
  const identity = await readIdentity(entry);
  let url = checkAddress(address, options.what);
  let isOwn = true;
  for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects++) {
    isOwn &&= url.origin === origin;
    const authorization = isOwn ? credentials : undefined;
    const answer = await get(url, entry, { ...options, identity, isOwn, authorization });
    if (answer.status === 200) return answer.body;
    if (!REDIRECTS.has(answer.status) || answer.location === undefined) {
      throw wrongStatus(url, answer, options.what, authorization !== undefined);
    }
    if (!URL.canParse(answer.location, url.href)) {
      throw unreachable(url, options.what, 'it sends on to an address that is none');
    }
    url = checkAddress(new URL(answer.location, url.href).href, options.what);
  }
  throw unreachable(url, options.what, `it sends on more than ${REDIRECT_LIMIT} times`);
}

/** Helm takes what stands in the address where the entry itself has nothing. */
function basicOf(entry: RepositoryEntry): string | undefined {
  const url = new URL(entry.url);
  const [username, password] =
    entry.username === ''
      ? [decodedPart(url.username), decodedPart(url.password)]
      : [entry.username, entry.password];
  if (username === '') return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

async function get(
  url: URL,
  entry: RepositoryEntry,
  options: FetchOptions & Parameters<typeof getOnce>[1],
): Promise<Answer> {
  try {
    return await getOnce(url, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    if (error instanceof LogtoolError) {
      if (error.code !== 'proxy-refused') throw error;
      throw unreachable(url, options.what, `${error.what}: ${error.why}`, error, error.next);
    }
    const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
    throw unreachable(url, options.what, reasonOf(first), error, nextFor(first, entry));
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|INVALID_CA|HOSTNAME_MISMATCH/;

function nextFor(error: unknown, { caFile }: RepositoryEntry): string | undefined {
  if (!CERTIFICATE.test(String((error as NodeJS.ErrnoException).code ?? ''))) return undefined;
  return caFile === ''
    ? 'name the authority that signed its certificate: --ca-file FILE'
    : `check that ${caFile} holds the authority that signed its certificate`;
}

function unreachable(url: URL, what: string, why: string, cause?: unknown, next?: string): LogtoolError {
  return new LogtoolError({
    code: 'repository-unreachable',
    what: `cannot download ${what} from ${shownAddress(url)}`,
    why,
    next: next ?? 'check the address and the network, and try again',
    cause,
  });
}

function wrongStatus(url: URL, answer: Answer, what: string, hadCredentials: boolean): LogtoolError {
  const { status } = answer;
  const text = answer.statusText.replace(/[^\x20-\x7e]/g, '').slice(0, 100);
  const next =
    status === 401 || status === 403
      ? hadCredentials
        ? 'check user and password'
        : 'it may need a user and a password, which are sent only to the repository: --username and --password'
      : status === 404
        ? 'check the address of the repository'
        : 'try again later';
  return new LogtoolError({
    code: 'repository-answer',
    what: `cannot download ${what} from ${shownAddress(url)}`,
    why: `the server answered ${status} ${text}`.trim(),
    next,
  });
}
