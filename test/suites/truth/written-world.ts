import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import {
  compareTimestamps,
  formatTimestamp,
  type Timestamp,
  timestampFromMs,
} from '@logtool/kube/src/values/timestamp.ts';
import { createClient } from '@logtool/logtool/src/ui/api/create-client.ts';
import type {
  BufferStatus,
  FacetFilter,
  FromWorker,
  Row,
  SearchPlan,
  ToWorker,
  ViewSource,
} from '@logtool/logtool/src/ui/worker/protocol/protocol.ts';
import { LogSession } from '@logtool/logtool/src/ui/worker/session/log-session.ts';
import { FakeCluster, type FakeFault } from '../../support/engine/fake-cluster.ts';
import { appOf, servicesAround } from '../../support/server/around-route.ts';
import { Disk, type LostLog } from './disk.ts';
import {
  insideOf,
  LEVEL_TERM,
  linesOf,
  recordOf,
  START_MS,
  type WrittenLog,
  type WrittenRecord,
} from './written-records.ts';

/** The user's inputs to the page. */
export interface Asked {
  from: Timestamp | undefined;
  to: Timestamp | undefined;
  facets: FacetFilter;
  search: SearchPlan;
}

/** A row with a line of a log. */
export type LineRow = Extract<Row, { readonly kind: 'line' }>;

/** Every line has a text of its own, except the brace that closes a record in JSON: its container and time tell it. */
function keyOf(text: string, at: Timestamp, container: string): string {
  return text === '}' ? `${text} ${container} ${at.seconds} ${at.nanos}` : text;
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
  readonly pods: readonly (WrittenLog &
    LostLog & {
      /** Every nth line is an error, or a warning. */
      readonly errorEvery: number;
      readonly warnEvery: number;
      /** Every nth record has several lines. */
      readonly traceEvery: number;
    })[];
  /** The page groups such lines into one record. */
  readonly grouping: boolean;
  /** Faults of the requests for logs, in order; later requests have none. */
  readonly faults: readonly (FakeFault | undefined)[];
  /** The log of this pod cannot be read at all. */
  readonly refused: number | undefined;
  /** The log of this pod is not answered at first. */
  readonly stalled: number | undefined;
  /** Limit of lines in the page. */
  readonly maxLines: number;
}

/** Only guards against hangs: a scan writes to a real disk, which may be busy for long. */
const HANG_MS = 60_000;

/** A view that waits for a stalled container comes to no rest: the page is judged after this time, ms. */
const STALL_MS = 90_000;
/** The stalled answer never comes. */
const STALL: FakeFault = { kind: 'delay', delayMs: 1e10 };

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
    facets: NO_FACETS,
    search: NO_SEARCH,
  };
  readonly #refused: number | undefined;
  readonly #grouping: boolean;
  readonly #byLine = new Map<string, WrittenRecord>();
  readonly #keptScans: { close(): void };
  readonly disk = new Disk(this.cluster);
  /** Pods whose log requests are not answered. */
  readonly #stalled = new Set<number>();
  readonly everStalled = new Set<number>();
  /** Pods whose log requests fail. */
  readonly #broken = new Set<number>();
  #requests = 0;
  #numbers = 0;

  constructor({ pods, faults, refused, stalled, maxLines, grouping }: Shape) {
    this.#refused = refused;
    this.#grouping = grouping;
    for (const shape of pods)
      this.#keep(this.disk.add({ ...shape, hasJson: grouping }, () => this.#numbers++));
    if (stalled !== undefined) this.stall(stalled, true);
    const left = [...faults];
    this.cluster.nextFault = ({ pod }) => {
      if (pod === `web-${refused}`) return { kind: 'status', status: 403 };
      const number = Number(pod.slice('web-'.length));
      if (this.#broken.has(number)) return { kind: 'status', status: 500 };
      return this.#stalled.has(number) ? STALL : left.shift();
    };
    const services = servicesAround(this.cluster.client, { clock: this.clock });
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

  get sources(): readonly ViewSource[] {
    return this.sent.findLast((message) => message.type === 'sources')?.sources ?? [];
  }

  get grouping(): boolean {
    return this.#grouping;
  }

  isRefused(pod: number): boolean {
    return pod === this.#refused;
  }

  /** Whether a container is readable, and the page does not report it as unanswered. */
  hasAnswered(pod: number): boolean {
    return !this.isRefused(pod) && this.status?.unanswered?.ids.includes(containerId(pod)) !== true;
  }

  /** Whether the page says of a container that it cannot be read now, in its list of containers and in a row. */
  isAway(pod: number): boolean {
    return this.sources.some(
      ({ id, condition: { kind } }) => id === containerId(pod) && (kind === 'away' || kind === 'failed'),
    );
  }

  /** Whether the page names a container that has not answered, in its list of containers or above the log. */
  get isWaiting(): boolean {
    const isUnanswered = this.sources.some(({ condition }) => condition.kind === 'unanswered');
    return isUnanswered || this.status?.unanswered !== undefined;
  }

  /** Lets time go by, ms. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.settle();
  }

  /** Waits until everything in progress has finished, or waits for a stalled container. */
  async settle(): Promise<void> {
    const hang = AbortSignal.timeout(HANG_MS);
    const beginMs = this.clock.steady();
    let quiet = 0;
    while (quiet < 14 && !this.#isStuckSince(beginMs)) {
      if (hang.aborted) throw new Error('the page does not come to rest');
      const before = this.sent.length;
      await setImmediate();
      // Reading takes no time by itself, so that no container is late without a fault.
      await this.clock.advance(this.isOpening && this.everStalled.size === 0 ? 1 : 50);
      const isBusy = this.sent.length > before || this.isOpening || this.isScanning;
      quiet = isBusy ? 0 : quiet + 1;
    }
  }

  #isStuckSince(beginMs: number): boolean {
    return this.everStalled.size > 0 && this.clock.steady() - beginMs > STALL_MS;
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
    const { from, to } = this.asked;
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
        follow: to === undefined,
      },
    });
  }

  async send(message: Parameters<LogSession['take']>[0]): Promise<void> {
    this.session.take(message);
    await this.settle();
  }

  /** Sends a request, and returns its answer; undefined: it waits for a stalled container. */
  async tryAsk<T extends FromWorker['type']>(
    question: { readonly type: ToWorker['type'] } & Record<string, unknown>,
    type: T,
  ): Promise<Extract<FromWorker, { readonly type: T }> | undefined> {
    const request = ++this.#requests;
    this.session.take({ ...question, request } as never);
    const beginMs = this.clock.steady();
    for (const hang = AbortSignal.timeout(HANG_MS); !hang.aborted; ) {
      const answer = this.sent.findLast(
        (message) => message.type === type && 'request' in message && message.request === request,
      );
      if (answer !== undefined) return answer as Extract<FromWorker, { readonly type: T }>;
      if (this.#isStuckSince(beginMs)) {
        if (question.type !== 'find') return undefined;
        this.session.take({ type: 'stop-find' });
      }
      await setImmediate();
      await this.clock.advance(50);
    }
    throw new Error(`${type} was not answered`);
  }

  /** Sends a request that needs no container, and returns its answer. */
  async ask<T extends FromWorker['type']>(
    question: { readonly type: ToWorker['type'] } & Record<string, unknown>,
    type: T,
  ): Promise<Extract<FromWorker, { readonly type: T }>> {
    const answer = await this.tryAsk(question, type);
    if (answer === undefined) throw new Error(`${type} was not answered`);
    return answer;
  }

  async rows(): Promise<readonly Row[]> {
    const { rows } = await this.ask(
      { type: 'rows', anchor: { at: 'start' }, above: 0, below: 1_000_000 },
      'rows',
    );
    return rows;
  }

  /** Makes a container write another record now, if it runs and answers. */
  write(pod: number): void {
    // That a follow is not answered is reported by the transport, which this cluster in memory has not.
    if (!this.disk.isRunning(pod) || this.#stalled.has(pod) || this.#broken.has(pod)) return;
    const number = this.#numbers++;
    const at = timestampFromMs(this.clock.now());
    const record = recordOf(pod, at, number, {
      errorEvery: 3,
      warnEvery: 2,
      traceEvery: 3,
      hasJson: this.#grouping,
    });
    this.#keep([record]);
    this.disk.write(pod, record);
  }

  /** Leaves the requests of a pod's log without an answer, or answers later ones. */
  stall(pod: number, isOn: boolean): void {
    this.everStalled.add(pod);
    if (isOn) this.#stalled.add(pod);
    else this.#stalled.delete(pod);
  }

  /** Ends the connections to a pod's log and fails the requests for it, or answers later ones. */
  break(pod: number, isOn: boolean): void {
    if (!isOn) {
      this.#broken.delete(pod);
      return;
    }
    // Its follow ends in an answer that could not be read, like one that never came.
    this.everStalled.add(pod);
    this.#broken.add(pod);
    if (!this.disk.isDeleted(pod)) this.disk.cut(pod);
  }

  isBroken(pod: number): boolean {
    return this.#broken.has(pod);
  }

  isStalled(pod: number): boolean {
    return this.#stalled.has(pod);
  }

  /** Without grouping, each line is a separate record. */
  #keep(records: readonly WrittenRecord[]): void {
    for (const record of this.#grouping ? records : records.flatMap(linesOf)) {
      this.written.push(record);
      for (const { text, at } of record.lines)
        this.#byLine.set(keyOf(text, at, containerId(record.pod)), record);
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

  /** Returns the record that contains the line of a row, at any position. */
  recordOf(row: LineRow): WrittenRecord | undefined {
    const container = /~([^~/]+\/[^~/]+)\/[^~]*$/.exec(row.link)?.[1] ?? '';
    return this.#byLine.get(keyOf(row.text, row, container));
  }

  passesContainer(pod: number): boolean {
    const { include, exclude } = this.asked.facets;
    const id = containerId(pod);
    return (include.container?.includes(id) ?? true) && exclude.container?.includes(id) !== true;
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

  isLost(record: WrittenRecord): boolean {
    return this.disk.isLost(record);
  }

  /** Whether the view shows the record. */
  passes(record: WrittenRecord): boolean {
    const { text, only } = this.asked.search;
    return this.passesFacets(record) && (!only || text === '' || this.isHit(record));
  }
}
