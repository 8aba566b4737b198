import { formatTimestamp, parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '@logtool/logtool/src/contract/client.ts';
import { ApiError } from '@logtool/logtool/src/contract/client.ts';
import type { WireError } from '@logtool/logtool/src/contract/error.ts';
import type { FactsFrame, FactsQuery, WireFact } from '@logtool/logtool/src/contract/facts.ts';
import type { LogFrame, ScanFrame } from '@logtool/logtool/src/contract/log-frame.ts';
import type { LogQuery, LogRequest, WireBound } from '@logtool/logtool/src/contract/log-query.ts';
import type { LogSource } from '@logtool/logtool/src/contract/log-source.ts';
import type { ScanQuery } from '@logtool/logtool/src/contract/scan-query.ts';
import type { Fact } from '@logtool/logtool/src/domain/facts/fact.ts';
import { compareTime, type FakeLine, selects, sourceOf } from './fake-line.ts';
import { fakeScan } from './fake-scan.ts';

/** A following stream. */
interface OpenStream {
  readonly request: LogRequest;
  push(frames: readonly LogFrame[]): void;
  fail(error: ApiError): void;
  finish(): void;
  readonly indexes: Map<string, number>;
  /** From when on late containers are delivered, by query. */
  readonly late: Map<LogQuery, Timestamp>;
}

/** A fake log server that follows the contract: windows, cursors, following and resuming over plain lists. */
export class FakeServer {
  /** In total order: time, container, order of writing. */
  readonly lines: FakeLine[] = [];
  readonly requests: LogRequest[] = [];
  readonly streams: OpenStream[] = [];
  /** Lines read by each window query. */
  readonly costs: number[] = [];
  refuse: ApiError | undefined;
  readonly scans: ScanQuery[] = [];
  /** Maximum lines that one scan reads. */
  scanLimit = Number.POSITIVE_INFINITY;
  /** The time of the server: scans read nothing after it. */
  scansTo: Timestamp | undefined;
  /** Containers whose logs scans cannot read. */
  readonly unscannable = new Set<string>();
  /** Whether scans report what they read but never end. */
  holdsScans = false;
  /** Containers whose logs windows cannot read, and why. */
  readonly failing = new Map<string, WireError>();
  /** Whether windows report what they cannot read before their records. */
  failsFirst = false;
  /** Containers whose log requests get no answer, until `answer`. */
  readonly silent = new Set<string>();
  /** The same for windows only: following streams get their lines. */
  readonly slow = new Set<string>();
  /** What windows report in addition. */
  reporting: readonly LogFrame[] = [];
  /** What scans report before anything else. */
  scanReporting: readonly ScanFrame[] = [];
  /** Windows are read at once, but their records arrive only after this. */
  delivery: Promise<void> | undefined;
  /** The records of a window arrive at once, but its end only after this. */
  ending: Promise<void> | undefined;
  /** Whether connections open but deliver nothing. */
  isSilent = false;
  #waiting: (() => void)[] = [];

  readonly facts = new FakeFacts();

  readonly api: ApiClient = {
    url: () => '',
    ask: () => Promise.reject(new Error('not asked')),
    stream: ((name: string, args: { readonly body: LogRequest & ScanQuery; readonly signal: AbortSignal }) =>
      name.endsWith('/facts')
        ? this.facts.stream(args.body as unknown as FactsQuery, args.signal)
        : name.endsWith('/scan')
          ? this.#scan(args.body, args.signal)
          : this.#stream(args.body, args.signal)) as unknown as ApiClient['stream'],
  };

  /** Writes a line of a container and sends it to following streams. */
  write(line: FakeLine): void {
    const at = this.lines.findLastIndex((other) => compare(other, line) <= 0);
    this.lines.splice(at + 1, 0, line);
    for (const stream of this.streams) {
      for (const query of stream.request.queries) {
        if (query.follow === true && isOf(query, line.container) && !this.silent.has(line.container))
          stream.push(this.#frames(query, [line], stream));
      }
    }
  }

  /** Lets a container answer: following streams get its lines, and waiting windows are read. */
  answer(container: string): void {
    if (!this.silent.delete(container) && !this.slow.delete(container)) return;
    for (const stream of this.streams) {
      for (const [query, since] of stream.late)
        if (isOf(query, container)) {
          const lines = this.lines.filter(
            (line) => line.container === container && !(compareTime(line, since) < 0),
          );
          stream.push([
            ...this.#frames(query, lines, stream),
            ...answersFrames(query, container, 'answered', stream),
          ]);
        }
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async *#scan(query: ScanQuery, signal: AbortSignal): AsyncGenerator<readonly ScanFrame[]> {
    this.scans.push(query);
    if (this.refuse !== undefined) throw this.refuse;
    const limits = {
      lines: this.scanLimit,
      failing: this.unscannable,
      silent: this.silent,
      now: this.scansTo,
    };
    if (this.scanReporting.length > 0) yield this.scanReporting;
    for (const frame of fakeScan(this.lines, query, limits)) {
      if (frame.type === 'scanned' && this.holdsScans) await aborted(signal);
      yield [frame];
    }
  }

  /** Breaks all following connections. */
  cut(): void {
    for (const stream of this.streams.splice(0)) {
      stream.fail(new ApiError(0, { code: 'server-unreachable', data: { cause: 'cut' } }));
    }
  }

  async *#stream(request: LogRequest, signal: AbortSignal): AsyncGenerator<readonly LogFrame[]> {
    this.requests.push(request);
    if (this.refuse !== undefined) throw this.refuse;
    const queue: (readonly LogFrame[])[] = [];
    let wake: (() => void) | undefined;
    let failure: ApiError | undefined;
    let isFinished = false;
    const stream: OpenStream = {
      request,
      indexes: new Map(),
      late: new Map(),
      push(frames) {
        queue.push(frames);
        wake?.();
      },

      fail(error) {
        failure = error;
        wake?.();
      },

      finish() {
        isFinished = true;
        wake?.();
      },
    };
    signal.addEventListener('abort', () => wake?.());
    const follows = request.queries.some((query) => query.follow === true);
    const answered = this.isSilent ? [] : request.queries;
    for (const query of answered) {
      yield* this.#untilAnswered(query, stream, signal);
      for (const frames of this.#answer(query, stream)) queue.push(frames);
    }
    if (follows) this.streams.push(stream);
    else {
      isFinished = !this.isSilent;
      await this.delivery;
    }
    for (;;) {
      signal.throwIfAborted();
      for (const next of queue.splice(0)) yield await this.#delivered(next);
      if (failure !== undefined) throw failure;
      if (isFinished) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  /** Holds back the end of a window. */
  async #delivered(frames: readonly LogFrame[]): Promise<readonly LogFrame[]> {
    if (frames.some(({ type }) => type === 'end')) await this.ending;
    return frames;
  }

  /** Waits for all containers of a window, or, with patience, until one of them answers. */
  async *#untilAnswered(
    query: LogQuery,
    stream: OpenStream,
    signal: AbortSignal,
  ): AsyncGenerator<readonly LogFrame[]> {
    const isReported = query.patienceMs !== undefined && query.follow !== true;
    const reported = new Set(isReported ? this.#silentOf(query) : []);
    for (const container of reported) yield answersFrames(query, container, 'unanswered', stream);
    const isReady = () => {
      const silent = this.#silentOf(query);
      if (query.resume !== undefined || silent.length === 0) return true;
      if (query.patienceMs === undefined || query.selection.kind === 'all') return false;
      return this.lines.some(({ container }) => isOf(query, container) && !silent.includes(container));
    };
    for (;;) {
      const silent = this.#silentOf(query);
      for (const container of reported)
        if (!silent.includes(container) && reported.delete(container))
          yield answersFrames(query, container, 'answered', stream);
      if (isReady() || signal.aborted) return;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  #silentOf(query: LogQuery): string[] {
    const silent = query.follow === true ? this.silent : [...this.silent, ...this.slow];
    return [...silent].filter((container) => isOf(query, container));
  }

  *#answer(query: LogQuery, stream: OpenStream): Generator<readonly LogFrame[]> {
    const silent = this.#silentOf(query);
    const given = this.lines.filter(
      (line) => isOf(query, line.container) && !silent.includes(line.container),
    );
    const all = query.follow === true ? given : given.filter((line) => !this.failing.has(line.container));
    if (query.resume !== undefined) yield* this.#resumed(query, query.resume, all, stream);
    else yield* this.#window(query, all, stream);
  }

  *#resumed(
    query: LogQuery,
    { since, points }: NonNullable<LogQuery['resume']>,
    all: readonly FakeLine[],
    stream: OpenStream,
  ): Generator<readonly LogFrame[]> {
    const silent = this.#silentOf(query);
    const start = since === undefined ? undefined : parseTimestamp(since);
    const lines = all.filter((line) => {
      const point = points.find((each) => each.id === line.container);
      if (point?.at !== undefined) return line.seconds >= (parseTimestamp(point.at)?.seconds ?? 0) - 2;
      return start === undefined || compareTime(line, start) >= 0;
    });
    yield this.#frames(query, lines, stream);
    for (const container of silent) yield answersFrames(query, container, 'unanswered', stream);
    if (start !== undefined && silent.length > 0) stream.late.set(query, start);
    yield [{ type: 'end', q: query.id, live: true, cut: false }];
  }

  *#window(query: LogQuery, all: readonly FakeLine[], stream: OpenStream): Generator<readonly LogFrame[]> {
    const silent = this.#silentOf(query);
    const isWhole = silent.length + (query.without ?? []).length > 0;
    const { first, last, isCut } = windowOf(query, all, isWhole);
    this.costs.push(last - first);
    for (const container of silent) yield answersFrames(query, container, 'unanswered', stream);
    const failures = query.follow === true ? [] : this.#failures(query, stream);
    if (this.failsFirst) yield failures;
    yield this.#frames(query, all.slice(first, last), stream);
    if (!this.failsFirst) yield failures;
    const begin = silent.length > 0 ? all[first] : undefined;
    if (begin !== undefined) stream.late.set(query, begin);
    const isLateTail = silent.length > 0 && query.selection.kind === 'tail';
    const older = !isWhole || isCut ? cursorBefore(all, first) : undefined;
    const prev = isLateTail && begin !== undefined ? formatTimestamp(begin) : older;
    yield [endFrame(query, isCut || isLateTail, prev, cursorBefore(all, last))];
    if (query.follow !== true) yield [{ type: 'done', q: query.id }];
  }

  #failures(query: LogQuery, { indexes }: OpenStream): LogFrame[] {
    const frames = [...this.failing].flatMap(([container, error]): LogFrame[] => {
      const source = indexes.get(container) ?? indexes.size;
      indexes.set(container, source);
      return [
        { type: 'sources', q: query.id, sources: [sourceOf(container, source, query.sources)] },
        { type: 'state', q: query.id, source, state: 'failed', error },
      ];
    });
    return [...frames, ...this.reporting];
  }

  #frames(query: LogQuery, lines: readonly FakeLine[], { indexes }: OpenStream): LogFrame[] {
    const sources: LogSource[] = [];
    const records = lines.map(({ container, seconds, nanos, text }) => {
      let index = indexes.get(container);
      if (index === undefined) {
        index = indexes.size;
        indexes.set(container, index);
        sources.push(sourceOf(container, index, query.sources));
      }
      return [index, seconds, nanos, text, 1] as [number, number, number, string, number];
    });
    return [
      { type: 'sources', q: query.id, sources },
      { type: 'records', q: query.id, records },
    ];
  }
}

/** Rejects once the request is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The stream of facts as the contract defines it: what the cluster has, then what happens. */
class FakeFacts {
  /** The facts that the cluster has now. */
  readonly known: Fact[] = [];
  notices: readonly FactsFrame[] = [];
  eventsSince: Timestamp | undefined;
  readonly queries: FactsQuery[] = [];
  readonly #streams = new Set<{ push(frame: FactsFrame): void; cut(): void; readonly q: number }>();
  /** Whether the first answer waits until `release`. */
  isHeld = false;
  #release: (() => void) | undefined;

  release(): void {
    this.isHeld = false;
    this.#release?.();
  }

  /** Adds facts and sends them to following streams. */
  happen(...facts: readonly Fact[]): void {
    for (const fact of facts) {
      const at = this.known.findIndex(({ id }) => id === fact.id);
      if (at !== -1) this.known.splice(at, 1);
      this.known.push(fact);
    }
    for (const stream of this.#streams) stream.push({ type: 'facts', q: stream.q, facts: facts.map(wireOf) });
  }

  /** Breaks all connections. */
  cut(): void {
    for (const stream of this.#streams) stream.cut();
  }

  async *stream(query: FactsQuery, signal: AbortSignal): AsyncGenerator<readonly FactsFrame[]> {
    this.queries.push(query);
    const { id: q, follow } = query;
    if (this.isHeld)
      await new Promise<void>((resolve) => {
        this.#release = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    signal.throwIfAborted();
    yield [{ type: 'facts', q, facts: this.known.map(wireOf) }, ...this.notices];
    yield [
      {
        type: 'read',
        q,
        ...(this.eventsSince === undefined ? {} : { eventsSince: formatTimestamp(this.eventsSince) }),
      },
    ];
    if (follow !== true) return yield [{ type: 'done', q }];
    yield* this.#follow(q, signal);
  }

  async *#follow(q: number, signal: AbortSignal): AsyncGenerator<readonly FactsFrame[]> {
    const frames: FactsFrame[] = [];
    let wake: (() => void) | undefined;
    let isCut = false;
    const stream = {
      q,
      push(frame: FactsFrame) {
        frames.push(frame);
        wake?.();
      },

      cut() {
        isCut = true;
        wake?.();
      },
    };
    this.#streams.add(stream);
    signal.addEventListener('abort', () => wake?.(), { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        if (isCut) throw new ApiError(0, { code: 'server-unreachable', data: { cause: 'cut' } });
        if (frames.length > 0) yield frames.splice(0);
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      this.#streams.delete(stream);
    }
  }
}

function wireOf({ at, until, since, ...rest }: Fact): WireFact {
  return {
    ...rest,
    at: formatTimestamp(at),
    ...(until === undefined ? {} : { until: formatTimestamp(until) }),
    ...(since === undefined ? {} : { since: formatTimestamp(since) }),
  } as WireFact;
}

/** The lines of a window; `isWhole`: no line at the time of the first one is left out. */
function windowOf(query: LogQuery, all: readonly FakeLine[], isWhole: boolean) {
  const low = query.from === undefined ? 0 : lowIndex(all, query.from);
  const high = query.to === undefined ? all.length : highIndex(all, query.to);
  let [first, last] = [low, Math.max(low, high)];
  if (query.selection.kind === 'tail') first = Math.max(first, last - query.selection.count);
  if (query.selection.kind === 'head') last = Math.min(last, first + query.selection.count);
  if (isWhole && query.selection.kind === 'head' && last > first) last = endOfTime(all, last, high);
  const isCut = last - first < high - low;
  const leftOut = first > low ? all[first - 1] : undefined;
  if (isWhole && leftOut !== undefined)
    while (first < last && compareTime(all[first] as FakeLine, leftOut) === 0) first++;
  return { first, last, isCut };
}

/** Returns the end, from `index` to `high`, of the lines with the time of the line before `index`. */
function endOfTime(all: readonly FakeLine[], index: number, high: number): number {
  const same = all[index - 1];
  let end = index;
  while (same !== undefined && end < high && compareTime(all[end] as FakeLine, same) === 0) end++;
  return end;
}

function answersFrames(
  query: LogQuery,
  container: string,
  type: 'unanswered' | 'answered',
  { indexes }: OpenStream,
): LogFrame[] {
  const source = indexes.get(container) ?? indexes.size;
  indexes.set(container, source);
  const sources = [source];
  return [
    { type: 'sources', q: query.id, sources: [sourceOf(container, source, query.sources)] },
    type === 'answered'
      ? { type, q: query.id, sources }
      : { type, q: query.id, sources, forMs: query.patienceMs ?? 0 },
  ];
}

function compare(a: FakeLine, b: FakeLine): number {
  return compareTime(a, b) || (a.container < b.container ? -1 : a.container > b.container ? 1 : 0);
}

function isOf({ sources, without = [] }: LogQuery, container: string): boolean {
  if (without.includes(container)) return false;
  return sources.some((argument) => selects(argument, container));
}

function lowIndex(lines: readonly FakeLine[], bound: WireBound): number {
  const { at, shown } = read(bound);
  const index = lines.findIndex((line) => compareTime(line, at) >= (bound.kind === 'strict' ? 1 : 0));
  return index === -1 ? lines.length : index + shown;
}

function highIndex(lines: readonly FakeLine[], bound: WireBound): number {
  const { at, shown } = read(bound);
  const index = lines.findIndex((line) => compareTime(line, at) >= (bound.kind === 'inclusive' ? 1 : 0));
  return index === -1 ? lines.length : index + shown;
}

function read(bound: WireBound): { readonly at: Timestamp; readonly shown: number } {
  const [time = '', shown = '0'] = bound.at.split('~');
  const at = parseTimestamp(time);
  if (at === undefined) throw new Error(`${bound.at} is no time`);
  return { at, shown: bound.kind === 'cursor' ? Number(shown) : 0 };
}

function endFrame(
  query: LogQuery,
  cut: boolean,
  prev: string | undefined,
  next: string | undefined,
): LogFrame {
  return {
    type: 'end',
    q: query.id,
    live: query.follow === true,
    cut,
    ...(prev === undefined ? {} : { prev }),
    ...(next === undefined ? {} : { next }),
  };
}

/** Returns the cursor between two lines; undefined before the first line and after the last one. */
function cursorBefore(lines: readonly FakeLine[], index: number): string | undefined {
  return index > 0 && index < lines.length ? cursorAt(lines, index) : undefined;
}

function cursorAt(lines: readonly FakeLine[], index: number): string {
  const at = lines[index] as FakeLine;
  let shown = 0;
  while (index - shown > 0 && compareTime(lines[index - shown - 1] as FakeLine, at) === 0) shown++;
  return shown === 0 ? formatTimestamp(at) : `${formatTimestamp(at)}~${shown}`;
}
