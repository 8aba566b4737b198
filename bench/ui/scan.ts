import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { kubectlPath } from '../../test/support/oracles/kubectl.ts';
import { LITERAL, RARE } from '../cluster/write-logs.ts';
import { type Figure, middle, times } from './figures.ts';
import { WIDE_LINES } from './scenario.ts';
import type { Bench } from './start-bench.ts';

/** Lines of the last two minutes may still change, so each scan reads them again. */
const SETTLED_MS = 120_000;

interface ScanTimes {
  readonly wholeMs: number;
  /** Undefined if the scan requested no hits. */
  readonly firstHitMs: number | undefined;
  readonly matches: number;
}

/** The measurements of one server: a first scan, then others over the same range. */
interface ScanRound {
  readonly kubectlMs: number;
  readonly first: ScanTimes;
  readonly seconds: readonly ScanTimes[];
  /** A scan of all lines of a hundred containers. */
  readonly wide: ScanTimes;
  /** The time from the cancellation of a scan until the server stops reading. */
  readonly cancelMs: number;
}

/**
 * Scans a log of 160 MB, compared with `kubectl logs | grep -c`, then scans with other filters. `bench`: of a server
 * that has read nothing yet.
 */
export async function scanRound(bench: Bench): Promise<ScanRound> {
  const to = `${new Date(Date.now() - SETTLED_MS).toISOString().slice(0, -1)}000000Z`;
  const kubectlMs = await kubectlCount(bench);
  const page = await openedPage(bench);
  const hits = { order: 'oldest', count: 10_000 } as const;
  const first = await scan(page, { to, grep: LITERAL, hits, bucketMs: 5_000 });
  const seconds: ScanTimes[] = [];
  for (const text of [RARE, 'served in order', 'status=503', '@level:error'])
    seconds.push(await scan(page, { to, search: searchFor(text), bucketMs: 5_000 }));
  const cancelMs = await canceled(await openedPage(bench), bench);
  const wide = await scan(page, { sources: ['deployments/wide'], bucketMs: 5_000 });
  if (wide.matches !== 100 * WIDE_LINES) throw new Error(`${wide.matches} lines of a hundred containers`);
  return { kubectlMs, first, seconds, wide, cancelMs };
}

/** Opens a page: it sees only what it has read itself. */
async function openedPage({ origin }: Bench): Promise<{ readonly origin: string; readonly token: string }> {
  const { token } = (await (await fetch(`${origin}/api/v1/token`)).json()) as { readonly token: string };
  return { origin, token };
}

export function scanFigures(all: readonly ScanRound[]): readonly Figure[] {
  const first = middle(all.map((round) => round.first.wholeMs));
  const kubectl = middle(all.map(({ kubectlMs }) => kubectlMs));
  const second = middle(all.flatMap(({ seconds }) => seconds.map(({ wholeMs }) => wholeMs)));
  return [
    {
      what: 'scan of a container with 160 MB, with counts by time and level',
      measured: `${Math.round(first)} ms; kubectl logs | grep -c: ${Math.round(kubectl)} ms`,
      limit: '1.2 times kubectl',
      ratio: first / kubectl / 1.2,
    },
    times(
      'its first hit',
      all.flatMap((round) => round.first.firstHitMs ?? []),
      300,
    ),
    {
      what: 'another filter over the same range',
      measured: `${Math.round(second)} ms, ${(first / second).toFixed(1)} times as fast`,
      limit: 'at least 5 times',
      ratio: (5 * second) / first,
    },
    times(
      `scan of 100 containers with ${WIDE_LINES.toLocaleString('en')} lines each`,
      all.map(({ wide }) => wide.wholeMs),
      1_500,
    ),
    times(
      'from the cancellation of a scan until the server reads nothing any more',
      all.map(({ cancelMs }) => cancelMs),
      200,
    ),
  ];
}

function searchFor(text: string) {
  return { text, matchCase: false, wholeWord: false, regex: false };
}

async function kubectlCount({ kubeconfig }: Bench): Promise<number> {
  const kubectl = await kubectlPath();
  const startMs = performance.now();
  const logs = spawn(kubectl, ['--kubeconfig', kubeconfig, 'logs', 'deployments/big'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const grep = spawn('grep', ['-c', LITERAL], { stdio: ['pipe', 'ignore', 'inherit'] });
  logs.stdout.pipe(grep.stdin);
  await once(grep, 'close');
  return performance.now() - startMs;
}

/** After this long without reading, the scan has ended. */
const QUIET_MS = 300;

/** Cancels a scan of uncached logs while it reads. */
async function canceled(
  { origin, token }: { readonly origin: string; readonly token: string },
  { serverPid }: Bench,
): Promise<number> {
  const readBytes = async () =>
    Number(/rchar: (\d+)/.exec(await readFile(`/proc/${serverPid}/io`, 'utf8'))?.[1]);
  const cancel = new AbortController();
  const answer = await ask({ origin, token }, { grep: LITERAL, bucketMs: 5_000 }, cancel.signal);
  await answer.body?.getReader().read();
  const before = await readBytes();
  while ((await readBytes()) < before + 2 ** 20) await wait(1);
  cancel.abort();
  const startMs = performance.now();
  let last = { bytes: 0, ms: startMs };
  while (performance.now() - last.ms < QUIET_MS) {
    const bytes = await readBytes();
    if (bytes !== last.bytes) last = { bytes, ms: performance.now() };
    await wait(5);
  }
  return last.ms - startMs;
}

/** Reads a scan like the page: frame by frame. */
async function scan(
  { origin, token }: { readonly origin: string; readonly token: string },
  query: object,
): Promise<ScanTimes> {
  const startMs = performance.now();
  const answer = await ask({ origin, token }, query);
  let text = '';
  let firstHitMs: number | undefined;
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"type":"records"')) firstHitMs ??= performance.now() - startMs;
  }
  const matches = Number(/"type":"scanned".*?"matches":(\d+)/.exec(text)?.[1]);
  if (Number.isNaN(matches)) throw new Error(`the scan failed: ${text.slice(-500)}`);
  return { wholeMs: performance.now() - startMs, firstHitMs, matches };
}

function ask(
  { origin, token }: { readonly origin: string; readonly token: string },
  query: object,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${origin}/api/v1/contexts/admin/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-logtool-token': token },
    body: JSON.stringify({
      id: 1,
      sources: ['deployments/big'],
      budget: { bytes: 2 ** 40, ms: 600_000 },
      ...query,
    }),
    ...(signal === undefined ? {} : { signal }),
  });
}
