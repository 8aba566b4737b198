import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { FakeCluster, type FakeFault, type FakeRun, newRun } from './fake-cluster.ts';
import type { Entry } from './memory-log.ts';

/** A seeded source of choices: the same seed repeats the same test. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to 1 (mulberry32). */
  next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  /** Returns a whole number from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  isTrue(probability: number): boolean {
    return this.next() < probability;
  }

  of<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }
}

/** One record as the container wrote it. */
export interface Written {
  readonly pod: string;
  readonly runId: string;
  readonly keyText: string;
  readonly at: Timestamp;
  readonly message: Uint8Array;
  readonly index: number;
}

export const START_SECONDS = Date.UTC(2026, 10, 21, 9) / 1000;
const FRAGMENT_BYTES = 16_384;

/** Appends random records to a run; returns them as the reader should get them. */
export function writeRandomRun(
  chance: Chance,
  run: FakeRun,
  start: Timestamp,
  count: number,
  address: { pod: string; keyText: string },
): { written: Written[]; last: Timestamp } {
  const lines: { at: Timestamp; pieces: Uint8Array[]; apartNanos: number }[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    at = later(
      at,
      chance.of([0, 0, 1, 250, 90_000, 7_000_000, 300_000_000, 1_500_000_000]) * chance.int(1, 2),
    );
    const pieces = randomMessage(chance, index);
    // A process that writes a long line slowly: sinceTime may omit its first fragments.
    const apartNanos = pieces.length > 1 ? chance.of([1_000, 300_000_000, 1_100_000_000]) : 0;
    lines.push({ at, pieces, apartNanos });
    at = later(at, (pieces.length - 1) * apartNanos);
  }
  // Two pipes of one process: a line slightly after its position.
  for (let index = 1; index < lines.length; index++) {
    const [a, b] = [lines[index - 1]!, lines[index]!];
    const apart = (b.at.seconds - a.at.seconds) * 1e9 + b.at.nanos - a.at.nanos;
    if (a.pieces.length === 1 && b.pieces.length === 1 && apart < 100_000_000 && chance.isTrue(0.1)) {
      lines[index - 1] = b;
      lines[index] = a;
    }
  }
  const written = lines.map(({ at: when, pieces, apartNanos }, index) => {
    pieces.forEach((bytes, piece) => {
      run.entries.push({ at: later(when, piece * apartNanos), bytes, partial: piece < pieces.length - 1 });
    });
    return { ...address, runId: run.id, at: when, message: Buffer.concat(pieces), index };
  });
  return { written, last: later(at, 1_000_000_000) };
}

function randomMessage(chance: Chance, index: number): Uint8Array[] {
  if (chance.isTrue(0.02)) {
    const fragment = Buffer.alloc(FRAGMENT_BYTES, 65 + (index % 26));
    return [...Array.from({ length: chance.int(1, 3) }, () => fragment), Buffer.from(`end of ${index}`)];
  }
  if (chance.isTrue(0.1)) return [Buffer.from([0xff, 0xfe, 0x00, 0x0d, index % 10 === 0 ? 13 : 7, 0xc3])];
  if (chance.isTrue(0.2))
    return [Buffer.from(chance.of(['', 'tick', '2026-11-21T10:00:00.000000000Z not a prefix']))];
  return [Buffer.from(`line ${index} ${'x'.repeat(chance.int(0, 60))}`)];
}

export function later(at: Timestamp, nanos: number): Timestamp {
  const sum = at.nanos + nanos;
  return { seconds: at.seconds + Math.floor(sum / 1e9), nanos: sum % 1e9 };
}

/** Sorts in the total order: (timestamp, key, position in the file). */
export function inOrder(written: readonly Written[]): Written[] {
  return written.toSorted(
    (a, b) =>
      compareTimestamps(a.at, b.at) ||
      (a.keyText < b.keyText ? -1 : a.keyText > b.keyText ? 1 : a.index - b.index),
  );
}

/** Creates a cluster of random containers, with all readable records; `gone`: how many runs of each are not. */
export function randomCluster(
  chance: Chance,
  clock: Clock,
  most: { containers: number; records: number },
): { cluster: FakeCluster; written: Written[]; gone: ReadonlyMap<string, number> } {
  const cluster = new FakeCluster(clock);
  const gone = new Map<string, number>();
  cluster.chunkBytes = () => chance.of([1, 7, 64, 1000, 65_536]);
  const written: Written[] = [];
  const containers = chance.int(1, most.containers);
  for (let index = 0; index < containers; index++) {
    const pod = cluster.addPod(`pod-${index}`, { zone: chance.of(['Z', '+05:30', '-08:00']) });
    const runs: FakeRun[] = [];
    let at: Timestamp = { seconds: START_SECONDS, nanos: chance.of([0, 5, 999_999_999]) };
    const count = chance.of([1, 1, 1, 2, 3]);
    const state = chance.of(['running', 'running', 'waiting', 'terminated'] as const);
    for (let number = 0; number < count; number++) {
      const run = newRun(`containerd://${index}-${number}`);
      const address = { pod: pod.name, keyText: `${pod.uid}/main/${run.id}` };
      const added = writeRandomRun(chance, run, at, chance.int(0, most.records), address);
      at = added.last;
      run.ended = number < count - 1 || state !== 'running';
      endWithoutNewline(chance, run);
      runs.push(run);
      const isServed = number === count - 1 || (number === count - 2 && state !== 'waiting');
      if (isServed) written.push(...added.written);
      else gone.set(`${pod.uid}/main`, number + 1);
    }
    const container = cluster.addContainer(pod, 'main', runs);
    container.state = state;
  }
  return { cluster, written: inOrder(written), gone };
}

function endWithoutNewline(chance: Chance, run: FakeRun): void {
  const last = run.entries.at(-1);
  if (last === undefined || !run.ended || last.bytes.length === 0 || !chance.isTrue(0.3)) return;
  run.entries[run.entries.length - 1] = { ...last, partial: true } satisfies Entry;
}

/**
 * Injects faults of every kind into a share of the requests, with a limit on consecutive ones for one
 * container: above it is an outage, which has its own tests.
 */
export function randomFaults(
  chance: Chance,
  cluster: FakeCluster,
  share: number,
  inRow = 2,
): Map<string, number> {
  const kinds = new Map<string, number>();
  const rows = new Map<string, number>();
  cluster.nextFault = (query) => {
    const address = `${query.pod}/${query.container}`;
    const row = rows.get(address) ?? 0;
    if (row >= inRow || !chance.isTrue(share)) {
      rows.set(address, 0);
      return undefined;
    }
    rows.set(address, row + 1);
    const fault = randomFault(chance);
    const name = faultName(fault);
    kinds.set(name, (kinds.get(name) ?? 0) + 1);
    return fault;
  };
  return kinds;
}

function randomFault(chance: Chance): FakeFault {
  const afterBytes = chance.of([0, 1, 10, 40, 200, 2_000, 20_000]) + chance.int(0, 5);
  switch (chance.int(0, 8)) {
    case 0:
    case 1:
      return { kind: 'reset', afterBytes };
    case 2:
      return { kind: 'clean-end', afterBytes };
    case 3:
      return { kind: 'stall', afterBytes, delayMs: 500 };
    case 4:
      return { kind: 'delay', delayMs: 100 };
    case 5:
      return {
        kind: 'text',
        text: 'unable to retrieve container logs for containerd://x',
        afterBytes: chance.of([0, 0, afterBytes]),
      };
    case 6:
      return { kind: 'split', chunkBytes: chance.of([1, 2, 3]) };
    case 7:
      return { kind: 'status', status: 429, retryAfterMs: chance.of([0, 1_000]) };
    default:
      return { kind: 'status', status: chance.of([401, 403, 404, 410, 429, 500, 503]) };
  }
}

function faultName(fault: FakeFault): string {
  if (fault.kind !== 'status') return fault.kind;
  return fault.retryAfterMs === undefined ? String(fault.status) : `${fault.status} with Retry-After`;
}
