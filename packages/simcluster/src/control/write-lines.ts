import { sleep } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerWorker } from '../controllers/pods/container-worker.ts';
import { type ContainerTarget, containersOf, eventError } from '../scenario/event-targets.ts';
import type { Simulation } from '../scenario/simulation.ts';

/** How often a burst writes its due lines. */
const TICK_MS = 10;

export interface LinesToWrite extends ContainerTarget {
  /** The text, in which `{n}` is the number from 1, or a text for each line. Default: `line {n}`. */
  readonly text?: string | readonly string[] | undefined;
  /** Number of lines if `text` is one text; default: 1. */
  readonly count?: number | undefined;
  readonly stream?: 'stdout' | 'stderr' | undefined;
}

export interface Burst extends ContainerTarget {
  readonly text?: string | undefined;
  /** Total number of lines. */
  readonly count: number;
  readonly perSecond: number;
  readonly stream?: 'stdout' | 'stderr' | undefined;
}

/** What was written to the log of one container. */
export interface LinesWritten {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly count: number;
  /** Timestamps of the first and the last line, RFC 3339 with nine digits, as the log API prints them. */
  readonly first: string;
  readonly last: string;
}

interface Written {
  readonly worker: ContainerWorker;
  readonly containerId: string;
  count: number;
  first: Timestamp | undefined;
  last: Timestamp | undefined;
}

/** See ClusterControl.writeLines. */
export function writeLines(simulation: Simulation, lines: LinesToWrite): readonly LinesWritten[] {
  const { text = 'line {n}', stream = 'stdout' } = lines;
  const count = typeof text === 'string' ? (lines.count ?? 1) : text.length;
  const targets = targetsOf(simulation, lines);
  const textOf = typeof text === 'string' ? numbered(text) : (n: number) => text[n - 1] ?? '';
  for (const target of targets) write(simulation, target, count, textOf, stream);
  return targets.map(report);
}

/** See ClusterControl.writeBurst. */
export async function writeBurst(simulation: Simulation, burst: Burst): Promise<readonly LinesWritten[]> {
  const { text = 'line {n}', stream = 'stdout', count, perSecond } = burst;
  const { clock } = simulation;
  const targets = targetsOf(simulation, burst);
  const textOf = numbered(text);
  const startMs = clock.now();
  for (let written = 0; written < count; ) {
    const due = Math.min(count, Math.max(1, Math.ceil(((clock.now() - startMs) * perSecond) / 1000)));
    for (const target of targets) write(simulation, target, due - written, textOf, stream);
    written = due;
    if (written < count) await sleep(clock, Math.max(TICK_MS, 1000 / perSecond));
  }
  return targets.map(report);
}

function targetsOf(simulation: Simulation, target: ContainerTarget): readonly Written[] {
  return containersOf(simulation, target).map(({ container: worker }) => {
    worker.flush();
    const { containerId } = worker;
    if (containerId === undefined) throw eventError(`container ${worker.name} has not run yet`);
    return { worker, containerId, count: 0, first: undefined, last: undefined };
  });
}

function write(
  simulation: Simulation,
  target: Written,
  count: number,
  textOf: (n: number) => string,
  stream: 'stdout' | 'stderr',
): void {
  const { runtime, clock } = simulation;
  const { containerId, worker } = target;
  if (worker.containerId !== containerId || runtime.run(containerId) === undefined)
    throw eventError(`the run of container ${worker.name} that was written to is over`);
  const { skewMs } = worker.setup;
  for (let n = 0; n < count; n++) {
    target.count += 1;
    const bytes = Buffer.from(textOf(target.count));
    // A run's clock gives distinct, increasing times, but ignores skew.
    const at = skewMs === 0 ? undefined : laterBy(clock.now() + skewMs, n);
    const stamp = runtime.append(containerId, { bytes, stream, ...(at === undefined ? {} : { at }) });
    target.first ??= stamp;
    target.last = stamp;
  }
}

function numbered(text: string): (n: number) => string {
  return text.includes('{n}') ? (n) => text.replaceAll('{n}', String(n)) : () => text;
}

/** Returns the time one microsecond later for each line. */
function laterBy(ms: number, lines: number): Timestamp {
  const at = timestampFromMs(ms);
  const nanos = at.nanos + lines * 1000;
  return { seconds: at.seconds + Math.floor(nanos / 1e9), nanos: nanos % 1e9 };
}

function report({ worker, count, first, last }: Written): LinesWritten {
  const { namespace, pod } = worker.setup.identity;
  const text = (at: Timestamp | undefined) => (at === undefined ? '' : formatTimestamp(at));
  return { namespace, pod, container: worker.name, count, first: text(first), last: text(last) };
}
