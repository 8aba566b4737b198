import { sleep } from '../domain/clock.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { LogRecord, Source } from '../domain/record.ts';
import { compareTimestamps, type Timestamp } from '../domain/timestamp.ts';
import type { Bound } from '../domain/window.ts';
import { backoffMs } from '../kube/backoff.ts';
import { sinceFor } from './bounds.ts';
import type { LaneEnd } from './container-lane.ts';
import { LineParser } from './line-parser.ts';
import { probeEnd } from './log-end.ts';
import { currentRunId, type Look, lookAtPod, previousRunId } from './pod-look.ts';
import { Position } from './position.ts';
import type { ReadContext } from './read-context.ts';
import { logQuery } from './run-address.ts';
import { addressRun, RunReader } from './run-reader.ts';
import { classifyFailure } from './source-failure.ts';
import { errorText, reportOutcome, reportSource, waitingReason } from './source-report.ts';

/** A follow that says nothing for that long is looked after: idle ones are never closed by anybody. */
const SILENCE_MS = 60_000;
const LONGEST_SILENCE_MS = 300_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;
/** How often a container that waits to start is looked at, if no event says that it did. */
const LONGEST_POLL_MS = 10_000;
const FEW_TRIES = 3;
/** Looks at the pod before an answer that does not go on where the last one ended counts as a rotation. */
const DOUBTFUL_LOOKS = 3;

export interface FollowerOptions {
  readonly previous: 'auto' | 'no' | 'only';
  readonly from: Bound | undefined;
  push(records: readonly LogRecord[]): Promise<void>;
}

/** How one connection to a followed log ended. */
type StreamEnd =
  | { readonly kind: 'clean' }
  | { readonly kind: 'waiting'; readonly reason: string }
  /** Another run answered. */
  | { readonly kind: 'other-run'; readonly look: ContainerTarget }
  | { readonly kind: 'broken'; readonly error: unknown };

/**
 * Follows one container over connections, restarts and the end of its pod. `run` resolves when the container is
 * finished, has left or cannot be read; it rejects only when the signal is aborted.
 */
export class ContainerFollower {
  readonly id: string;
  readonly #context: ReadContext;
  readonly #options: FollowerOptions;
  readonly #position: Position;
  #target: ContainerTarget;
  #runId: string;
  /** Number of events about the container: a wait ends when it moves. */
  #news = 0;
  #wakeUp: (() => void) | undefined;
  #leaving = false;
  #stream: AbortController | undefined;
  #everRead: boolean;
  /** The run whose end was read already. */
  #drained: string | undefined;
  #told = '';
  #tries = 0;
  /** 401 and 403 in a row. */
  #denials = 0;

  constructor(
    context: ReadContext,
    target: ContainerTarget,
    end: LaneEnd | undefined,
    options: FollowerOptions,
  ) {
    this.id = target.id;
    this.#context = context;
    this.#options = options;
    this.#target = target;
    this.#position = end?.position ?? new Position();
    this.#runId = end?.runId ?? '';
    this.#everRead = end?.outcome?.kind === 'complete';
  }

  /** The container changed: restarted, started, ended. */
  update(target: ContainerTarget): void {
    this.#target = target;
    this.#news++;
    this.#wakeUp?.();
  }

  /** The pod was deleted, or does not match any more. */
  leave(target: ContainerTarget): void {
    this.#leaving = true;
    this.update(target);
    if (!target.deleting) this.#stream?.abort(new Error('the pod does not match any more'));
  }

  async run(): Promise<void> {
    if (this.#runId === '') await this.#begin();
    for (;;) {
      const news = this.#news;
      const end = await this.#followOnce();
      if (end.kind === 'waiting') {
        this.#tell('waiting', waitingReason(this.#target, end.reason));
        if (this.#leaving) return this.#left();
        await this.#waitForNews(news);
        continue;
      }
      if (end.kind === 'broken') {
        if (await this.#isOver(end.error)) return;
      }
      const look = end.kind === 'other-run' ? end.look : await this.#look();
      if (look === 'gone') {
        const how =
          end.kind === 'broken' ? 'while its log was cut off' : 'before the end of its log was certain';
        this.#gap(this.#position.max, undefined, `the pod was deleted ${how}`);
        return this.#left();
      }
      if (await this.#afterEnd(look, news)) return;
      if (this.#tries > 0) await this.#backOff(end.kind === 'broken' ? retryAfter(end.error) : 0);
      this.#tries++;
    }
  }

  /** A container that joined: the run before the present one belongs to it too, where it is wanted. */
  async #begin(): Promise<void> {
    const previousId = previousRunId(this.#target);
    if (this.#options.previous !== 'no' && previousId !== undefined) {
      this.#runId = previousId;
      await this.#readRest(true);
    }
    this.#runId = currentRunId(this.#target);
    this.#position.beginRun();
  }

  /** One connection, from the position on. */
  async #followOnce(): Promise<StreamEnd> {
    const { client, signal } = this.#context;
    const stream = new AbortController();
    const onAbort = () => stream.abort(signal.reason);
    if (signal.aborted) throw signal.reason;
    signal.addEventListener('abort', onAbort, { once: true });
    this.#stream = stream;
    const watchdog = this.#watchSilence(stream);
    try {
      const run = addressRun(this.#target, this.#runId, false);
      const sinceTime = this.#position.since ?? sinceFor(this.#options.from);
      const before = this.#position.fork();
      const part = sinceTime === undefined ? {} : { sinceTime };
      const response = await client.log(logQuery(run, { follow: true, ...part }), { signal: stream.signal });
      if (response.status === 204) return { kind: 'waiting', reason: 'the pod has no node yet' };
      this.#denials = 0;
      this.#position.beginResume();
      const fresh = this.#position.aligned;
      return await this.#readStream(response.body, run.source, before, watchdog, fresh);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = classifyFailure(error);
      if (failure.kind === 'waiting') return { kind: 'waiting', reason: failure.reason };
      return { kind: 'broken', error };
    } finally {
      this.#stream = undefined;
      watchdog.stop();
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #readStream(
    body: AsyncIterable<Uint8Array>,
    source: Source,
    before: Position,
    watchdog: { heard(): void },
    fresh: boolean,
  ): Promise<StreamEnd> {
    const parser = new LineParser(source, { seq: 0 });
    let confirmed = !fresh;
    for await (const chunk of body) {
      watchdog.heard();
      const lines: LogRecord[] = [];
      let failure: { readonly error: unknown } | undefined;
      try {
        parser.push(chunk, lines);
      } catch (error) {
        failure = { error };
      }
      if (lines.length > 0) {
        if (!confirmed) {
          confirmed = true;
          const look = await lookAtPod(this.#context, this.#target);
          if (isOtherRun(look, this.#runId)) return { kind: 'other-run', look };
        }
        let gap: { readonly from: Timestamp; readonly to: Timestamp } | undefined;
        const records = this.#position.admit(lines, (from, to) => {
          gap = { from, to };
        });
        if (gap !== undefined) {
          const look = await this.#lookInDoubt();
          if (isOtherRun(look, this.#runId)) {
            this.#position.restore(before);
            return { kind: 'other-run', look };
          }
          this.#gap(gap.from, gap.to, 'the log was rotated on the node');
        }
        if (records.length > 0) {
          this.#tries = 0;
          this.#everRead = true;
          this.#told = '';
          await this.#options.push(records);
        }
      }
      if (failure !== undefined) throw failure.error;
    }
    // A line without its end is no record here: it comes with the rest of the run, if the run is over.
    return { kind: 'clean' };
  }

  /** Decides what an end meant by the state of the pod; true when there is nothing more to come. */
  async #afterEnd(look: ContainerTarget | 'unknown', news: number): Promise<boolean> {
    if (look === 'unknown') return this.#leaving && (await this.#leaveNow());
    const present = currentRunId(look);
    this.#target = look;
    if (present !== this.#runId) {
      await this.#turnTo(look, present);
      return false;
    }
    if (look.state.kind === 'running') return this.#leaving && !look.deleting && (await this.#leaveNow());
    if (this.#drained !== this.#runId) {
      await this.#readRest(false);
      this.#drained = this.#runId;
    }
    if (this.#leaving) {
      this.#left();
      return true;
    }
    if (look.state.kind === 'terminated' && !look.mayRestart) {
      this.#tell(
        'finished',
        look.state.exitCode === 0 ? look.state.reason : `${look.state.reason} (${look.state.exitCode})`,
      );
      return true;
    }
    if (look.state.kind === 'waiting') this.#tell('waiting', look.state.reason);
    this.#tries = 0;
    await this.#waitForNews(news);
    return false;
  }

  /** Another run has begun: the rest of the one before it first. */
  async #turnTo(look: ContainerTarget, present: string): Promise<void> {
    const last = look.lastContainerId;
    if (this.#runId !== '' && this.#drained !== this.#runId) {
      if (last === this.#runId) await this.#readRest(true);
      else this.#gap(this.#position.max, undefined, 'the container was started again more than once');
    }
    if (last !== undefined && last !== this.#runId && last !== present && this.#runId !== '') {
      this.#runId = last;
      this.#position.beginRun();
      await this.#readRest(true);
    }
    if (this.#runId !== '') this.#tell('restarted', `restart ${look.restartCount}`);
    this.#runId = present;
    this.#position.beginRun();
    this.#tries = 0;
  }

  /** Reads a run that is over to its end, its unterminated last line too. */
  async #readRest(previous: boolean): Promise<void> {
    const reader = new RunReader(this.#context, addressRun(this.#target, this.#runId, previous), {
      start: { sinceTime: sinceFor(this.#options.from) },
      position: this.#position,
      giveUnterminated: true,
      confirmRun: true,
    });
    for await (const batch of reader.batches()) await this.#options.push(batch);
    const { outcome } = reader;
    if (outcome?.kind === 'moved') return this.#readRest(true);
    if (outcome?.kind === 'absent' || outcome?.kind === 'gone') {
      if (!this.#position.hasLines)
        this.#gap(undefined, undefined, 'a run ended and was removed before it could be read');
    } else reportOutcome(this.#context, this.#target, outcome);
  }

  async #isOver(error: unknown): Promise<boolean> {
    const failure = classifyFailure(error);
    this.#denials = failure.kind === 'denied' ? this.#denials + 1 : 0;
    const isDenied = this.#denials >= FEW_TRIES && !this.#everRead;
    if (isDenied || (failure.kind === 'fatal' && !isStreamAbort(error))) {
      reportSource(this.#context, this.#target, 'failed', errorText(error), error);
      return true;
    }
    if (!isStreamAbort(error)) this.#tell('reconnecting', errorText(error), error);
    return false;
  }

  /** The pod no longer matches: its last lines, then it leaves. */
  async #leaveNow(): Promise<boolean> {
    await this.#readRest(false);
    this.#left();
    return true;
  }

  #left(): void {
    reportSource(this.#context, this.#target, 'left', 'the pod was deleted or does not match any more');
  }

  /** The pod as it is now; where it cannot be looked at, as the events had it. */
  async #look(): Promise<ContainerTarget | 'gone' | 'unknown'> {
    const look = await lookAtPod(this.#context, this.#target);
    if (look !== 'unknown') return look;
    return this.#leaving ? 'gone' : this.#target;
  }

  /** An answer does not go on where the last one ended: another run that the pod does not report yet, or a rotation. */
  async #lookInDoubt(): Promise<Look> {
    let look = await lookAtPod(this.#context, this.#target);
    for (let attempt = 1; attempt < DOUBTFUL_LOOKS && !isOtherRun(look, this.#runId); attempt++) {
      await sleep(this.#context.clock, 300, this.#context.signal);
      look = await lookAtPod(this.#context, this.#target);
    }
    return look;
  }

  #watchSilence(stream: AbortController): { heard(): void; stop(): void } {
    const { clock } = this.#context;
    let silenceMs = SILENCE_MS;
    let cancel = () => {};
    let stopped = false;
    const arm = () => {
      cancel = clock.after(silenceMs, () => {
        this.#isStalled().then(
          (stalled) => {
            if (stopped) return;
            if (stalled) stream.abort(new StreamAbort());
            else {
              silenceMs = Math.min(LONGEST_SILENCE_MS, silenceMs * 2);
              arm();
            }
          },
          () => undefined,
        );
      });
    };
    arm();
    let heardAtMs = clock.now();
    return {
      heard: () => {
        // Re-arming for every chunk would cost more than reading it.
        const now = clock.now();
        if (now - heardAtMs < 1000) return;
        heardAtMs = now;
        silenceMs = SILENCE_MS;
        cancel();
        arm();
      },
      stop: () => {
        stopped = true;
        cancel();
      },
    };
  }

  /** Whether the log goes on, or the run is over, without the stream saying so. */
  async #isStalled(): Promise<boolean> {
    const look = await lookAtPod(this.#context, this.#target);
    if (look === 'gone' || isOtherRun(look, this.#runId)) return true;
    const seen = this.#position.max;
    try {
      const end = await probeEnd(this.#context, addressRun(this.#target, this.#runId, false));
      return end !== undefined && (seen === undefined || compareTimestamps(end.last.at, seen) > 0);
    } catch (error) {
      if (this.#context.signal.aborted) throw error;
      return false;
    }
  }

  async #waitForNews(news: number): Promise<void> {
    if (this.#news !== news) return;
    const attempt = this.#polls++;
    const waitMs = backoffMs(attempt, {
      firstMs: 1_000,
      maxMs: LONGEST_POLL_MS,
      random: this.#context.random,
    });
    const done = new AbortController();
    this.#wakeUp = () => {
      this.#polls = 0;
      done.abort();
    };
    const { signal, clock } = this.#context;
    try {
      await sleep(clock, waitMs, AbortSignal.any([signal, done.signal]));
    } catch {
      if (signal.aborted) throw signal.reason;
    } finally {
      this.#wakeUp = undefined;
    }
  }

  #polls = 0;

  async #backOff(atLeastMs: number): Promise<void> {
    const { clock, random, signal } = this.#context;
    const options = { firstMs: FIRST_WAIT_MS, maxMs: LONGEST_WAIT_MS, random };
    await sleep(clock, Math.max(atLeastMs, backoffMs(this.#tries - 1, options)), signal);
  }

  /** Says a state once, not at every try. */
  #tell(state: 'waiting' | 'restarted' | 'reconnecting' | 'finished', detail: string, error?: unknown): void {
    const told = state === 'reconnecting' ? state : `${state} ${detail}`;
    if (this.#told === told) return;
    this.#told = told;
    reportSource(this.#context, this.#target, state, detail, error);
  }

  #gap(from: Timestamp | undefined, to: Timestamp | undefined, why: string): void {
    this.#context.report({ type: 'gap', target: this.#target, from, to, why });
  }
}

/** A stream that was ended on this side. */
class StreamAbort extends Error {}

function isStreamAbort(error: unknown): boolean {
  return (
    error instanceof StreamAbort ||
    (error instanceof Error && error.message === 'the pod does not match any more')
  );
}

function isOtherRun(look: Look, runId: string): look is ContainerTarget {
  return look !== 'gone' && look !== 'unknown' && currentRunId(look) !== runId;
}

function retryAfter(error: unknown): number {
  const failure = classifyFailure(error);
  return failure.kind === 'retry' ? (failure.afterMs ?? 0) : 0;
}
