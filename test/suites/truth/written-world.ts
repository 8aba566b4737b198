import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import {
  compareTimestamps,
  formatTimestamp,
  type Timestamp,
  timestampFromMs,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import { COUNTED_LEVELS } from '@logtool/logtool/src/domain/coverage/scan.ts';
import type { Level } from '@logtool/logtool/src/domain/filter.ts';
import { levelIndex } from '@logtool/logtool/src/domain/level.ts';
import { appOf, fakeServices } from '@logtool/logtool/src/server/testing/fake-services.ts';
import { createClient } from '@logtool/logtool/src/ui/api/create-client.ts';
import { LogSession } from '@logtool/logtool/src/ui/worker/session/log-session.ts';
import type {
  BufferStatus,
  FacetFilter,
  FromWorker,
  Row,
  SearchPlan,
  ToWorker,
} from '@logtool/logtool/src/ui/worker/session/protocol.ts';
import {
  FakeCluster,
  type FakeContainer,
  type FakeFault,
  newRun,
} from '../../support/engine/fake-cluster.ts';
import type { Entry } from '../../support/engine/memory-log.ts';
import { Chance } from '../../support/engine/random-workload.ts';

/** A record as written: the truth for everything that a page reads. */
export interface WrittenRecord {
  /** Number of its pod. */
  readonly pod: number;
  /** The time of its first line. */
  readonly at: Timestamp;
  /** Its position among all written records. */
  readonly number: number;
  readonly level: Level | 'none';
  /** Its first line, unique among the records. */
  readonly text: string;
  /** All of its lines, usually one. */
  readonly lines: readonly { readonly at: Timestamp; readonly text: string }[];
}

/** The user's inputs to the page. */
export interface Asked {
  from: Timestamp | undefined;
  to: Timestamp | undefined;
  follow: boolean;
  facets: FacetFilter;
  search: SearchPlan;
}

export const NO_FACETS: FacetFilter = { include: {}, exclude: {}, fields: [] };
export const NO_SEARCH: SearchPlan = {
  text: '',
  regex: false,
  matchCase: false,
  wholeWord: false,
  only: false,
};

export const containerId = (pod: number) => `uid-web-${pod}/main`;

export interface Shape {
  readonly pods: readonly {
    readonly lines: number;
    /** Lines come in bursts: seed for the time between consecutive lines. */
    readonly seed: number;
    /** Every nth line is an error, or a warning. */
    readonly errorEvery: number;
    readonly warnEvery: number;
    readonly startMs: number;
    /** Percentage of its lines that an earlier run wrote. */
    readonly earlier: number;
    /** Every nth record has several lines. */
    readonly traceEvery: number;
  }[];
  /** The page groups such lines into one record. */
  readonly grouping: boolean;
  /** Faults of the requests for logs, in order; later requests have none. */
  readonly faults: readonly (FakeFault | undefined)[];
  /** The log of this pod cannot be read at all. */
  readonly refused: number | undefined;
  /** Limit of lines in the page. */
  readonly maxLines: number;
}

/** Only guards against hangs: a scan writes to a real disk, which may be busy for long. */
const HANG_MS = 60_000;

/** When the logs start. */
export const START_MS = Date.UTC(2026, 10, 21, 8);

/**
 * A session of the page on the real routes and the real engine, with a cluster in memory and a stopped clock.
 */
export class WrittenWorld {
  readonly clock = new FakeClock(START_MS + 2 * 3_600_000);
  readonly cluster = new FakeCluster(this.clock);
  readonly written: WrittenRecord[] = [];
  readonly sent: FromWorker[] = [];
  readonly session: LogSession;
  readonly asked: Asked = {
    from: undefined,
    to: undefined,
    follow: false,
    facets: NO_FACETS,
    search: NO_SEARCH,
  };
  readonly #refused: number | undefined;
  readonly #grouping: boolean;
  readonly #byLine = new Map<string, WrittenRecord>();
  readonly #keptScans: { close(): void };
  readonly #containers: FakeContainer[] = [];
  #requests = 0;
  #numbers = 0;

  constructor({ pods, faults, refused, maxLines, grouping }: Shape) {
    this.#refused = refused;
    this.#grouping = grouping;
    for (const [pod, shape] of pods.entries()) {
      const records = writtenBy(pod, { ...shape, hasJson: grouping }, () => this.#numbers++);
      this.#keep(records);
      const cut = Math.floor((records.length * shape.earlier) / 100);
      const runs = [newRun(`containerd://${pod}-b`, records.slice(cut).flatMap(entriesOf))];
      const earlier = records.slice(0, cut).flatMap(entriesOf);
      if (cut > 0) runs.unshift({ ...newRun(`containerd://${pod}-a`, earlier), ended: true });
      this.#containers.push(this.cluster.addContainer(this.cluster.addPod(`web-${pod}`), 'main', runs));
    }
    const left = [...faults];
    this.cluster.nextFault = ({ pod }) =>
      pod === `web-${refused}` ? { kind: 'status', status: 403 } : left.shift();
    const services = fakeServices(this.cluster.client, { clock: this.clock });
    this.#keptScans = services.keptScans;
    const logs = appOf('POST /contexts/{context}/logs', services);
    const scan = appOf('POST /contexts/{context}/scan', services);
    const api = createClient({
      basePath: '',
      token: () => 'token',
      fetch: async (url, init) =>
        (String(url).endsWith('/scan') ? scan : logs).request(String(url).replace('/api/v1', ''), init),
    });
    this.session = new LogSession({
      api,
      clock: this.clock,
      limits: { lines: maxLines, bytes: 2 ** 26 },
      send: (message) => this.sent.push(message),
    });
  }

  isRefused(pod: number): boolean {
    return pod === this.#refused;
  }

  /** Whether a container is readable, and the page does not report it as unanswered. */
  hasAnswered(pod: number): boolean {
    return !this.isRefused(pod) && this.status?.unanswered?.ids.includes(containerId(pod)) !== true;
  }

  /** Whether the page names a container that has not answered, in its list of containers or above the log. */
  get isWaiting(): boolean {
    const sources = this.sent.findLast((message) => message.type === 'sources')?.sources ?? [];
    const isUnanswered = sources.some(({ condition }) => condition.kind === 'unanswered');
    return isUnanswered || this.status?.unanswered !== undefined;
  }

  /** Waits until everything in progress has finished. */
  async settle(): Promise<void> {
    const hang = AbortSignal.timeout(HANG_MS);
    let quiet = 0;
    while (quiet < 14) {
      if (hang.aborted) throw new Error('the page does not come to rest');
      const before = this.sent.length;
      await setImmediate();
      // Reading takes no time by itself, so that no container is late without a fault.
      await this.clock.advance(this.isOpening ? 1 : 50);
      const isBusy = this.sent.length > before || this.isOpening || this.isScanning;
      quiet = isBusy ? 0 : quiet + 1;
    }
  }

  get status(): BufferStatus | undefined {
    return this.sent.findLast((message) => message.type === 'status')?.status;
  }

  /** Whether the page is still opening, and states nothing yet. */
  get isOpening(): boolean {
    const { status } = this;
    return status === undefined || status.loading !== 'none' || status.connection.state === 'connecting';
  }

  get isScanning(): boolean {
    return this.status?.scan?.state === 'reading';
  }

  async open(): Promise<void> {
    const { from, to, follow } = this.asked;
    const bound = (at: Timestamp | undefined, kind: 'inclusive' | 'strict') =>
      at && ({ kind, at: formatTimestamp(at) } as const);
    this.session.take({ type: 'group', isOn: this.#grouping });
    await this.send({
      type: 'view',
      plan: {
        context: 'sim',
        sources: ['default:pods/*'],
        from: bound(from, 'inclusive'),
        to: bound(to, 'strict'),
        follow,
      },
    });
  }

  async send(message: Parameters<LogSession['take']>[0]): Promise<void> {
    this.session.take(message);
    await this.settle();
  }

  /** Sends a request, and returns its answer. */
  async ask<T extends FromWorker['type']>(
    question: { readonly type: ToWorker['type'] } & Record<string, unknown>,
    type: T,
  ): Promise<Extract<FromWorker, { readonly type: T }>> {
    const request = ++this.#requests;
    this.session.take({ ...question, request } as never);
    for (const hang = AbortSignal.timeout(HANG_MS); !hang.aborted; ) {
      const answer = this.sent.findLast(
        (message) => message.type === type && 'request' in message && message.request === request,
      );
      if (answer !== undefined) return answer as Extract<FromWorker, { readonly type: T }>;
      await setImmediate();
      await this.clock.advance(50);
    }
    throw new Error(`${type} was not answered`);
  }

  async rows(): Promise<readonly Row[]> {
    const { rows } = await this.ask(
      { type: 'rows', anchor: { at: 'start' }, above: 0, below: 1_000_000 },
      'rows',
    );
    return rows;
  }

  /** Makes a container write another record now. */
  write(pod: number): void {
    const container = this.#containers[pod % this.#containers.length]!;
    const number = this.#numbers++;
    const at = timestampFromMs(this.clock.now());
    const every = { errorEvery: 3, warnEvery: 2, traceEvery: 3, hasJson: this.#grouping };
    const record = recordOf(pod % this.#containers.length, at, number, every);
    this.#keep([record]);
    for (const entry of entriesOf(record)) this.cluster.write(container, entry);
  }

  /** Without grouping, each line is a separate record. */
  #keep(records: readonly WrittenRecord[]): void {
    for (const record of this.#grouping ? records : records.flatMap(linesOf)) {
      this.written.push(record);
      for (const { text } of record.lines) this.#byLine.set(text, record);
    }
  }

  close(): void {
    this.session.close();
    this.#keptScans.close();
  }

  /** Returns the records of the range in the total order; of a record across an end, the part inside. */
  inRange(): readonly WrittenRecord[] {
    const { from, to } = this.asked;
    const isInside = (at: Timestamp) =>
      (from === undefined || compareTimestamps(at, from) >= 0) &&
      (to === undefined || compareTimestamps(at, to) < 0);
    return this.written
      .flatMap((record) => insideOf(record, isInside))
      .toSorted((a, b) => compareTimestamps(a.at, b.at) || a.pod - b.pod || a.number - b.number);
  }

  /** Returns the record that contains a line, at any position. */
  recordWith(text: string): WrittenRecord | undefined {
    return this.#byLine.get(text);
  }

  passesFacets({ pod, level }: WrittenRecord): boolean {
    const { include, exclude } = this.asked.facets;
    const passes = (name: 'level' | 'container', value: string) =>
      (include[name]?.length ? include[name].includes(value) : true) && !exclude[name]?.includes(value);
    return passes('level', level) && passes('container', containerId(pod));
  }

  isHit(record: WrittenRecord): boolean {
    const { text } = this.asked.search;
    const has = (sought: string) => record.lines.some((line) => line.text.toLowerCase().includes(sought));
    if (text.startsWith('-')) return !has(text.slice(1));
    const [level, sought] = text.startsWith(LEVEL_TERM)
      ? ['error', text.slice(LEVEL_TERM.length)]
      : [undefined, text];
    return sought !== '' && has(sought) && (level === undefined || record.level === level);
  }

  /** Whether the view shows the record. */
  passes(record: WrittenRecord): boolean {
    const { text, only } = this.asked.search;
    return this.passesFacets(record) && (!only || text === '' || this.isHit(record));
  }
}

const TOKENS = ['paid', 'cart', 'timeout'] as const;
const LEVEL_TERM = '@level:error ';
export const SEARCHES = ['paid', 'timeout', 'nowhere', '-cart', `${LEVEL_TERM}timeout`] as const;

interface Every {
  readonly errorEvery: number;
  readonly warnEvery: number;
  readonly traceEvery: number;
  readonly hasJson: boolean;
}

function recordOf(pod: number, at: Timestamp, number: number, every: Every): WrittenRecord {
  const level =
    number % every.errorEvery === 0
      ? 'error'
      : number % every.warnEvery === 0
        ? 'warn'
        : number % 5 === 0
          ? 'none'
          : 'info';
  const head = level === 'none' ? '' : `${level.toUpperCase()} `;
  const text = `${head}${TOKENS[number % TOKENS.length]} ${number}`;
  if (number % every.traceEvery === 0) return traceOf({ pod, at, number, text }, every.hasJson);
  return { pod, at, number, level, text, lines: [{ at, text }] };
}

/** Lines that programs write below a line, by its number; each is unique to its record. */
const TRACES: readonly ((number: number, token: string) => readonly string[])[] = [
  (number, token) => [
    `java.lang.IllegalStateException: boom ${number}`,
    `\tat com.shop.Cart${number}.add(Cart.java:12)`,
    `Caused by: java.io.IOException: ${token} ${number}`,
    `\t... ${number} more`,
  ],
  (number, token) => [
    `Traceback (most recent call last): ${number}`,
    `  File "/app/cart${number}.py", line 3, in add`,
    `    raise ValueError(${number})`,
    `ValueError: ${token} ${number}`,
  ],
  (number, token) => [
    `goroutine ${number} [running]:`,
    `main.${token}${number}(0x1)`,
    `\t/app/main${number}.go:17 +0x1d`,
  ],
  (number, token) => [`  "level": "warn", "number": ${number},`, `  "msg": "${token} ${number}"`, '}'],
];

/** Returns a record of several lines. Those of a Java trace are milliseconds apart; others have one time. */
function traceOf(
  { pod, at, number, text }: Pick<WrittenRecord, 'pod' | 'at' | 'number' | 'text'>,
  hasJson: boolean,
): WrittenRecord {
  const token = TOKENS[(number + 1) % TOKENS.length]!;
  // A single brace is identical in each record.
  const kind = Math.floor(number / 2) % (hasJson ? TRACES.length : TRACES.length - 1);
  const isJson = kind === TRACES.length - 1;
  const isGo = kind === TRACES.length - 2;
  const head = isJson
    ? `order ${number} {`
    : isGo
      ? `panic: boom ${number}`
      : text.replace(/^(?:INFO |WARN )?(?=[a-z])/, 'ERROR ');
  const below = TRACES[kind]!(number, token);
  const lines = [head, ...below].map((line, index) => ({
    at: kind === 0 ? later(at, index) : at,
    text: line,
  }));
  return { pod, at, number, level: isJson ? 'warn' : isGo ? PANIC_LEVEL : 'error', text: head, lines };
}

/** The level of a line that starts with `panic: `. */
const PANIC_LEVEL = levelOf('panic: boom 1') === 'none' ? 'error' : levelOf('panic: boom 1');

function levelOf(text: string): Level | 'none' {
  return COUNTED_LEVELS[levelIndex(Buffer.from(text))] ?? 'none';
}

function later({ seconds, nanos }: Timestamp, ms: number): Timestamp {
  const sum = nanos + ms * 1e6;
  return { seconds: seconds + Math.floor(sum / 1e9), nanos: sum % 1e9 };
}

/** Returns each line as a separate record. */
function linesOf(record: WrittenRecord): readonly WrittenRecord[] {
  return record.lines.map((line) => ({ ...record, ...line, level: levelOf(line.text), lines: [line] }));
}

/**
 * Returns the part of a record inside a range. A trace without its head is an error; a single line has its
 * own level.
 */
function insideOf(record: WrittenRecord, isInside: (at: Timestamp) => boolean): readonly WrittenRecord[] {
  const lines = record.lines.filter(({ at }) => isInside(at));
  const [first] = lines;
  if (first === undefined || lines.length === record.lines.length) return first === undefined ? [] : [record];
  const level = first === record.lines[0] ? record.level : lines.length === 1 ? levelOf(first.text) : 'error';
  return [{ ...record, ...first, level, lines }];
}

function entriesOf({ lines }: WrittenRecord): readonly Entry[] {
  return lines.map(({ at, text }) => ({ at, bytes: Buffer.from(text), partial: false }));
}

function writtenBy(
  pod: number,
  shape: Shape['pods'][number] & Every,
  nextNumber: () => number,
): WrittenRecord[] {
  let ms = START_MS + shape.startMs;
  const chance = new Chance(shape.seed);
  return Array.from({ length: shape.lines }, () => {
    ms += stepMs(chance);
    const record = recordOf(pod, timestampFromMs(ms), nextNumber(), shape);
    // A container writes one record after the other.
    ms = Math.max(ms, timestampToMs(record.lines.at(-1)!.at));
    return record;
  });
}

/** Returns the time between lines: bursts at one time, seconds, and pauses. */
function stepMs(chance: Chance): number {
  const kind = chance.next();
  if (kind < 0.2) return 0;
  return kind < 0.8 ? chance.int(1, 900) : chance.int(1_000, 9_000);
}
