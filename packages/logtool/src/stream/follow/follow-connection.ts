import { sleep } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord, Source } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import type { ReadContext } from '../read-context.ts';
import { firstTime } from '../run/first-record.ts';
import { LineParser } from '../run/line-parser.ts';
import { probeEnd } from '../run/log-end.ts';
import { currentRunId, lookAtPod } from '../run/pod-look.ts';
import type { Position } from '../run/position.ts';
import { addressRun, logQuery, type RunAddress } from '../run/run-address.ts';
import { isOtherRun, laterRunOfGone, lookForName, otherRunInDoubt } from '../run/served-run.ts';
import { classifyFailure } from '../run/source-failure.ts';
import { lastLine, PodReplaced, StreamAbort } from '../run/stream-abort.ts';
import { sinceFor } from '../window/bounds.ts';
import type { LiveInput } from './live-merge.ts';
import type { LogSlots } from './log-slots.ts';
import { ReplayWatch } from './replay-watch.ts';
import { nearestTail, type Struggle } from './resume-start.ts';
import { type SilenceWatch, watchSilence } from './silence-watch.ts';

/**
 * Lines from the end to resume with, beside the time: by time alone the node reads the whole file, 2 s for 1 GB
 * (test/recorded/pods-log/size-1GB-*.json). Where these do not reach back to what is known, more are asked for.
 */
const FIRST_TAIL = 1_000;
const LARGEST_TAIL = 30_000;

/** Longer than any silence before somebody looks (watchSilence), and the one before it: what came in them was withheld. */
const WITHHELD_SECONDS = 600;

/** What was written before comes at once: for so long, lines may wait for a known one that stands behind them. */
const UNSETTLED_MS = 2_000;

/** How one connection to a followed log ended. */
export type StreamEnd =
  /** `rest`: the line without its end that came last. */
  | { readonly kind: 'clean'; readonly rest: LogRecord | undefined }
  | { readonly kind: 'waiting'; readonly reason: string }
  /** Another run answered. */
  | { readonly kind: 'other-run'; readonly look: ContainerTarget }
  /** Others wait to be followed. */
  | { readonly kind: 'turn-over' }
  | { readonly kind: 'broken'; readonly error: unknown };

export interface FollowedRun {
  readonly target: ContainerTarget;
  readonly runId: string;
  readonly position: Position;
  readonly from: Bound | undefined;
  /** Lines to begin with where the run could not be read so far; all when undefined. */
  readonly lastLines: number | undefined;
  /** How the connections before this one fared. */
  readonly struggle: Struggle;
  /** Learns when a connection stands, and when it is over. */
  readonly live: Pick<LiveInput, 'connected' | 'away'>;
  /** Whether the log is about to be gone. */
  readonly isUrgent: () => boolean;
  /** Something other than a refusal was answered. */
  onAnswer(): void;
  onRecords(records: readonly LogRecord[]): Promise<void>;
  onGap(from: Timestamp, to: Timestamp): void;
  /**
   * The log is that of a later run, whose pod is gone: it goes on under that one, for it cannot be asked for again.
   */
  onLaterRun(last: ContainerTarget): Promise<void>;
}

/** One connection to the log of a run, from the position on. */
export class FollowConnection {
  readonly #context: ReadContext;
  readonly #run: FollowedRun;
  #address: RunAddress;
  /** From when on lines were asked for. */
  #since: Timestamp | undefined;
  readonly #stream = new AbortController();

  constructor(context: ReadContext, run: FollowedRun) {
    this.#context = context;
    this.#run = run;
    this.#address = addressRun(run.target, run.runId, false);
  }

  /** Ends the connection as `broken` with a StreamAbort. */
  abort(): void {
    this.#stream.abort(new StreamAbort());
  }

  /** Resolves when the connection is over; rejects only when the signal is aborted. */
  async read(slots: LogSlots): Promise<StreamEnd> {
    const { signal } = this.#context;
    let turnOver = false;
    const onTurnOver = () => {
      turnOver = true;
      this.abort();
    };
    const slot = await slots.take(onTurnOver, signal, this.#run.isUrgent);
    const onAbort = () => this.#stream.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const watch = watchSilence(
      this.#context.clock,
      () => this.#isStalled(),
      () => this.abort(),
    );
    try {
      const tails = await this.#tails();
      for (let attempt = 0; ; attempt++) {
        const end = await this.#ask(watch, tails[attempt]);
        if (end !== 'too-short') return end;
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (turnOver && error instanceof StreamAbort) return { kind: 'turn-over' };
      const failure = classifyFailure(error);
      if (failure.kind === 'waiting') return { kind: 'waiting', reason: failure.reason };
      return { kind: 'broken', error };
    } finally {
      watch.stop();
      this.abort();
      this.#run.live.away();
      signal.removeEventListener('abort', onAbort);
      slot.release();
    }
  }

  /** Lines from the end to ask for, one number after the other; behind them there is the time alone. */
  async #tails(): Promise<readonly number[]> {
    const { position, struggle, lastLines } = this.#run;
    if (!position.hasLines) return lastLines === undefined ? [] : [lastLines];
    struggle.begin();
    if (position.hasWithheld) return [];
    const nearest = struggle.isHard ? await nearestTail(this.#context, this.#address, position) : undefined;
    return nearest === undefined ? [FIRST_TAIL, LARGEST_TAIL] : [nearest, FIRST_TAIL, LARGEST_TAIL];
  }

  async #ask(watch: SilenceWatch, tailLines: number | undefined): Promise<StreamEnd | 'too-short'> {
    const { client, clock } = this.#context;
    const { position, from } = this.#run;
    const sinceTime = position.sinceAt(clock.now()) ?? sinceFor(from);
    this.#since = sinceTime;
    const before = position.fork();
    const part = {
      ...(sinceTime === undefined ? {} : { sinceTime }),
      ...(tailLines === undefined ? {} : { tailLines }),
    };
    const own = new AbortController();
    const signal = AbortSignal.any([this.#stream.signal, own.signal]);
    try {
      const response = await client.log(logQuery(this.#address, { follow: true, ...part }), { signal });
      if (response.status === 204) return { kind: 'waiting', reason: 'the pod has no node yet' };
      this.#run.struggle.answered();
      this.#run.live.connected();
      this.#run.onAnswer();
      position.beginResume();
      return await this.#readBody(response.body, before, watch, tailLines !== undefined);
    } finally {
      // A body that is not read to its end keeps its connection.
      own.abort();
    }
  }

  async #readBody(
    body: AsyncIterable<Uint8Array>,
    before: Position,
    watch: SilenceWatch,
    isShort: boolean,
  ): Promise<StreamEnd | 'too-short'> {
    const { target, position, runId } = this.#run;
    const parser = new LineParser(this.#address.source, { seq: 0 });
    /** Where it is not that which was asked for. */
    let source: Source | undefined;
    let confirmed = !position.aligned;
    let awaitsKnown = false;
    const replays = new ReplayWatch();
    for await (const chunk of body) {
      watch.heard();
      let lines: LogRecord[] = [];
      let failure: { readonly error: unknown } | undefined;
      try {
        parser.push(chunk, lines);
      } catch (error) {
        failure = { error };
      }
      const [first] = lines;
      if (first !== undefined) {
        if (!confirmed) {
          confirmed = true;
          const look = await lookForName(this.#context, target, runId, this.#stream.signal);
          if (look === 'replaced') throw new PodReplaced();
          if (isOtherRun(look, runId)) return { kind: 'other-run', look };
          const last = look === 'gone' ? await laterRunOfGone(this.#context, runId, first) : undefined;
          if (last !== undefined) {
            await this.#run.onLaterRun(last);
            this.#address = addressRun(last, currentRunId(last), false);
            source = this.#address.source;
          }
        }
        if (source !== undefined) lines = lines.map((line) => ofSource(line, source));
        const again = await replays.find(lines, position, () => this.#goesOnBehind());
        const repeated = again === -1 ? undefined : lines[again];
        if (repeated !== undefined) lines.length = again;
        let gap: { readonly from: Timestamp; readonly to: Timestamp } | undefined;
        const records = position.admit(lines, (from, to) => {
          gap = { from, to };
        });
        if (gap !== undefined) {
          if (isShort) {
            position.restore(before);
            return 'too-short';
          }
          // Another run that the pod does not report yet, or a rotation.
          const look = await otherRunInDoubt(this.#context, this.#address);
          if (look !== undefined) {
            position.restore(before);
            if (look === 'replaced') throw new PodReplaced();
            return { kind: 'other-run', look };
          }
          this.#run.onGap(gap.from, gap.to);
        }
        const jump = replays.took(records, this.#context.clock.steady());
        this.#run.struggle.took(lines.length, records.length);
        if (records.length > 0) await watch.taking(this.#run.onRecords(records));
        if (jump !== undefined && (await this.#beginsFile(jump.to))) {
          replays.told(jump);
          this.#run.onGap(jump.from, jump.to);
        }
        if (position.isUnsettled && !awaitsKnown) {
          awaitsKnown = true;
          this.#abortUnsettled();
        }
        if (repeated !== undefined) {
          const skipped = replays.skippedBefore(repeated);
          if (skipped !== undefined) this.#run.onGap(skipped.from, skipped.to);
          throw new StreamAbort();
        }
      }
      if (failure !== undefined) throw failure.error;
    }
    // Without its end it is no record here: it comes with the rest of the run, if the run is over.
    const rest = lastLine(parser);
    return { kind: 'clean', rest: rest && ofSource(rest, source) };
  }

  /** Whether a line that came just now stands at the start of the newest file, or in front of it. */
  async #beginsFile(at: Timestamp): Promise<boolean> {
    const first = await firstTime(this.#context, this.#address);
    return first !== undefined && compareTimestamps(first, at) >= 0;
  }

  /** Whether the log ends at its greatest time or behind it, now. */
  async #goesOnBehind(): Promise<boolean> {
    const { max } = this.#run.position;
    const end = await probeEnd(this.#context, this.#address);
    return end !== undefined && max !== undefined && compareTimestamps(end.last.at, max) >= 0;
  }

  /** A follow never says that the log ends here; a read to its end finds out what the lines held back are. */
  #abortUnsettled(): void {
    const { signal } = this.#stream;
    sleep(this.#context.clock, UNSETTLED_MS, signal).then(
      () => {
        if (this.#run.position.isUnsettled) this.abort();
      },
      // The connection is over.
      () => undefined,
    );
  }

  /** Whether the log goes on, or the run is over, without the stream saying so. */
  async #isStalled(): Promise<boolean> {
    const { target, runId, position } = this.#run;
    const look = await lookAtPod(this.#context, target);
    if (look === 'gone' || isOtherRun(look, runId)) return true;
    const seen = position.last;
    try {
      const end = await probeEnd(this.#context, this.#address);
      if (end !== undefined) {
        // Not by which is later: a node's clock may have been set back.
        if (seen !== undefined && compareTimestamps(end.last.at, seen) === 0) return false;
        const { seconds } = end.last.at;
        if (this.#since !== undefined && seconds < this.#since.seconds)
          position.withheldFrom(seconds - WITHHELD_SECONDS);
        return true;
      }
      // All that is known was rotated away before this answer, and maybe more with it.
      return position.hasLines && !position.aligned;
    } catch (error) {
      if (this.#context.signal.aborted) throw error;
      return false;
    }
  }
}

function ofSource(line: LogRecord, source = line.source): LogRecord {
  return source === line.source ? line : { ...line, source };
}
