import { decodeUserinfo } from '@logtool/kube/src/connection/proxy.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type Download, type HelmFailures, helmFailure, type Outage } from '../failures.ts';
import { checkAddress, type RepositoryEntry, shownAddress } from './entry.ts';
import { reasonOf } from './errors.ts';
import { type Answer, AnswerError, getOnce } from './get-once.ts';
import { readIdentity } from './server-trust.ts';

/** Go's limit. */
const REDIRECT_LIMIT = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface FetchOptions {
  readonly of: Download;
  readonly accept: string;
  readonly limitBytes: number;
  readonly userAgent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** As for getOnce. */
  readonly silenceLimitMs?: number | undefined;
}

/**
 * Fetches the bytes at an address, with the server settings of the repository's entry. Follows redirects. Sends user,
 * password and client certificate only to the repository's own origin (scheme, host and port), hence never from https
 * to http, and not again after a request to another server.
 * @throws CodedError `repository-unreachable`, `repository-answer`, or the errors of checkAddress and readIdentity
 */
export async function fetchFile(
  address: string,
  entry: RepositoryEntry,
  options: FetchOptions,
): Promise<Uint8Array> {
  const { origin } = checkAddress(
    entry.url,
    entry.name === '' ? options.of : { kind: 'repository', name: entry.name },
  );
  const credentials = basicOf(entry);
  const identity = await readIdentity(entry);
  let url = checkAddress(address, options.of);
  let isOwn = true;
  for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects++) {
    isOwn &&= url.origin === origin;
    const authorization = isOwn ? credentials : undefined;
    const answer = await get(url, entry, { ...options, identity, isOwn, authorization });
    if (answer.status === 200) return answer.body;
    if (!REDIRECTS.has(answer.status) || answer.location === undefined) {
      throw wrongStatus(url, answer, options.of, authorization !== undefined);
    }
    if (!URL.canParse(answer.location, url.href)) {
      throw unreachable(url, options.of, { problem: 'redirect-invalid' });
    }
    url = checkAddress(new URL(answer.location, url.href).href, options.of);
  }
  throw unreachable(url, options.of, { problem: 'redirects', max: REDIRECT_LIMIT });
}

/** Like Helm, uses the address's own credentials if the entry has none. */
function basicOf(entry: RepositoryEntry): string | undefined {
  const url = new URL(entry.url);
  const [username, password] =
    entry.username === ''
      ? [decodeUserinfo(url.username), decodeUserinfo(url.password)]
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
    if (error instanceof CodedError) {
      if (error.code !== 'proxy-refused') throw error;
      throw unreachable(url, options.of, systemOutage(error), error, { proxy: error });
    }
    const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
    const outage = first instanceof AnswerError ? first.outage : systemOutage(first);
    throw unreachable(url, options.of, outage, error, certificateOf(first, entry));
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|INVALID_CA|HOSTNAME_MISMATCH/;

function certificateOf(error: unknown, { caFile }: RepositoryEntry): Help {
  const isOfCertificate = CERTIFICATE.test(String((error as NodeJS.ErrnoException).code ?? ''));
  return isOfCertificate ? { certificate: { caFile } } : {};
}

type Help = Pick<HelmFailures['repository-unreachable'], 'certificate' | 'proxy'>;

function systemOutage(error: unknown): Outage {
  return { problem: 'system', why: reasonOf(error) };
}

function unreachable(url: URL, of: Download, outage: Outage, cause?: unknown, help: Help = {}): CodedError {
  const data = { of, address: shownAddress(url), outage, ...help };
  return helmFailure('repository-unreachable', data, { cause });
}

function wrongStatus(url: URL, answer: Answer, of: Download, hadCredentials: boolean): CodedError {
  const statusText = answer.statusText.replace(/[^\x20-\x7e]/g, '').slice(0, 100);
  const { status } = answer;
  const address = shownAddress(url);
  return helmFailure('repository-answer', { of, address, status, statusText, hadCredentials });
}
