import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import {
  compareTimestamps,
  formatTimestamp,
  type Timestamp,
  timestampFromMs,
} from '@logtool/kube/src/values/timestamp.ts';
import type { Level } from '@logtool/logtool/src/domain/filter.ts';
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
import { Chance } from '../../support/engine/random-workload.ts';

/** A line as it was written: nothing that a page reads can differ from it. */
export interface WrittenLine {
  /** Number of its pod. */
  readonly pod: number;
  readonly at: Timestamp;
  readonly level: Level | 'none';
  readonly text: string;
}

/** What a person has asked of the page. */
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
    /** Lines come in bursts: what decides the time between a line and the one before. */
    readonly seed: number;
    /** Which of the lines are errors and warnings: every nth. */
    readonly errorEvery: number;
    readonly warnEvery: number;
    readonly startMs: number;
    /** The share of its lines, in a hundred, that an earlier run wrote. */
    readonly earlier: number;
  }[];
  /** Faults of the requests for logs, in order; then none. */
  readonly faults: readonly (FakeFault | undefined)[];
  /** The log of this pod may not be read at all. */
  readonly refused: number | undefined;
  /** Lines that the page may hold. */
  readonly maxLines: number;
}

/** A guard against hangs only: what a scan keeps is written to a real disk, which may be busy for long. */
const HANG_MS = 60_000;

/** Where the logs begin. */
export const START_MS = Date.UTC(2026, 10, 21, 8);

/** A session of the page on the real routes and the real engine, with a cluster in memory and a standing clock. */
export class WrittenWorld {
  readonly clock = new FakeClock(START_MS + 2 * 3_600_000);
  readonly cluster = new FakeCluster(this.clock);
  readonly lines: WrittenLine[] = [];
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
  readonly #keptScans: { close(): void };
  readonly #containers: FakeContainer[] = [];
  #requests = 0;
  #numbers = 0;

  constructor({ pods, faults, refused, maxLines }: Shape) {
    this.#refused = refused;
    for (const [pod, shape] of pods.entries()) {
      const lines = writtenBy(pod, shape, () => this.#numbers++);
      this.lines.push(...lines);
      const entries = lines.map(({ at, text }) => ({ at, bytes: Buffer.from(text), partial: false }));
      const cut = Math.floor((entries.length * shape.earlier) / 100);
      const runs = [newRun(`containerd://${pod}-b`, entries.slice(cut))];
      if (cut > 0) runs.unshift({ ...newRun(`containerd://${pod}-a`, entries.slice(0, cut)), ended: true });
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

  /** Whether a container can be read, and is none that the page names as not answering. */
  hasAnswered(pod: number): boolean {
    return !this.isRefused(pod) && this.status?.unanswered?.ids.includes(containerId(pod)) !== true;
  }

  /** Whether the page names a container that has not answered, in its list of containers or above the log. */
  get isWaiting(): boolean {
    const sources = this.sent.findLast((message) => message.type === 'sources')?.sources ?? [];
    const isUnanswered = sources.some(({ condition }) => condition.kind === 'unanswered');
    return isUnanswered || this.status?.unanswered !== undefined;
  }

  /** Lets all that is under way come to rest. */
  async settle(): Promise<void> {
    const hang = AbortSignal.timeout(HANG_MS);
    let quiet = 0;
    while (quiet < 14) {
      if (hang.aborted) throw new Error('the page does not come to rest');
      const before = this.sent.length;
      await setImmediate();
      // What is read takes no time by itself, so that no container is late without a fault.
      await this.clock.advance(this.isOpening ? 1 : 50);
      const isBusy = this.sent.length > before || this.isOpening || this.isScanning;
      quiet = isBusy ? 0 : quiet + 1;
    }
  }

  get status(): BufferStatus | undefined {
    return this.sent.findLast((message) => message.type === 'status')?.status;
  }

  /** It claims nothing yet. */
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

  /** A question, and its answer once it came. */
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

  /** A container writes another line, now. */
  write(pod: number): void {
    const container = this.#containers[pod % this.#containers.length]!;
    const number = this.#numbers++;
    const line = lineOf(pod % this.#containers.length, timestampFromMs(this.clock.now()), number, {
      errorEvery: 3,
      warnEvery: 2,
    });
    this.lines.push(line);
    this.cluster.write(container, { at: line.at, bytes: Buffer.from(line.text), partial: false });
  }

  close(): void {
    this.session.close();
    this.#keptScans.close();
  }

  /** Lines of the range, in the total order. */
  inRange(): readonly WrittenLine[] {
    const { from, to } = this.asked;
    return this.lines
      .filter(
        ({ at }) =>
          (from === undefined || compareTimestamps(at, from) >= 0) &&
          (to === undefined || compareTimestamps(at, to) < 0),
      )
      .toSorted((a, b) => compareTimestamps(a.at, b.at) || a.pod - b.pod || numberOf(a) - numberOf(b));
  }

  passesFacets({ pod, level }: WrittenLine): boolean {
    const { include, exclude } = this.asked.facets;
    const passes = (name: 'level' | 'container', value: string) =>
      (include[name]?.length ? include[name].includes(value) : true) && !exclude[name]?.includes(value);
    return passes('level', level) && passes('container', containerId(pod));
  }

  isHit({ text }: WrittenLine): boolean {
    const { search } = this.asked;
    return search.text !== '' && text.toLowerCase().includes(search.text);
  }

  /** Whether the view shows it. */
  passes(line: WrittenLine): boolean {
    const { text, only } = this.asked.search;
    return this.passesFacets(line) && (!only || text === '' || this.isHit(line));
  }
}

const TOKENS = ['paid', 'cart', 'timeout'] as const;
export const SEARCHES = ['paid', 'timeout', 'nowhere'] as const;

export function numberOf({ text }: WrittenLine): number {
  return Number(text.split(' ').at(-1));
}

function lineOf(
  pod: number,
  at: Timestamp,
  number: number,
  { errorEvery, warnEvery }: { readonly errorEvery: number; readonly warnEvery: number },
): WrittenLine {
  const level =
    number % errorEvery === 0
      ? 'error'
      : number % warnEvery === 0
        ? 'warn'
        : number % 5 === 0
          ? 'none'
          : 'info';
  const head = level === 'none' ? '' : `${level.toUpperCase()} `;
  return { pod, at, level, text: `${head}${TOKENS[number % TOKENS.length]} ${number}` };
}

function writtenBy(pod: number, shape: Shape['pods'][number], nextNumber: () => number): WrittenLine[] {
  let ms = START_MS + shape.startMs;
  const chance = new Chance(shape.seed);
  return Array.from({ length: shape.lines }, () => {
    ms += stepMs(chance);
    return lineOf(pod, timestampFromMs(ms), nextNumber(), shape);
  });
}

/** Bursts of lines at one time, seconds between them, and pauses. */
function stepMs(chance: Chance): number {
  const kind = chance.next();
  if (kind < 0.2) return 0;
  return kind < 0.8 ? chance.int(1, 900) : chance.int(1_000, 9_000);
}
