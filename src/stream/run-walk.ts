import type { ContainerTarget } from '../domain/container.ts';
import type { LogRecord } from '../domain/record.ts';
import { compareTimestamps, type Timestamp } from '../domain/timestamp.ts';
import type { LaneEnd } from './container-lane.ts';
import type { FollowerOptions } from './follower-options.ts';
import type { PodDeletion } from './pod-deletion.ts';
import { currentRunId, previousRunId, runReadUnnamed } from './pod-look.ts';
import { Position } from './position.ts';
import type { ReadContext } from './read-context.ts';
import { ResumedPosition } from './resumed-position.ts';
import { readRunRest } from './run-rest.ts';
import { mayBeOfPresent, runReadUnder } from './run-told-late.ts';
import { reportOutcome } from './source-report.ts';
import type { SourceVoice } from './source-voice.ts';

interface RestOptions {
  /** Its unterminated last line is given too. */
  readonly isOver?: boolean;
  readonly position?: Position;
  /** What was read under the run may be of another. */
  readonly isDoubted?: boolean;
  push?(records: readonly LogRecord[]): Promise<void>;
}

/** The walk of a follower through the runs of its container: which one it reads, and the rests of those that are over. */
export class RunWalk {
  readonly position: Position;
  /** As it was last seen. */
  target: ContainerTarget;
  runId: string;
  /** Lines to begin with where the run could not be read so far; all when undefined. */
  lastLines: number | undefined;
  /** Those that the pod told of when it named the present run, -1 before the first: news may be older than that. */
  restarts: number;
  /** Time of the line that was the first to be read under the present run. */
  #first: Timestamp | undefined;
  /** Where the walk stood before that. */
  #before: Position;
  /** The run whose end was read already. */
  #drained: string | undefined;
  readonly #context: ReadContext;
  readonly #options: FollowerOptions;
  readonly #deletion: PodDeletion;
  readonly #voice: SourceVoice;

  constructor(
    context: ReadContext,
    target: ContainerTarget,
    end: LaneEnd | undefined,
    options: FollowerOptions,
    told: { readonly deletion: PodDeletion; readonly voice: SourceVoice },
  ) {
    this.#context = context;
    this.#options = options;
    this.#deletion = told.deletion;
    this.#voice = told.voice;
    this.lastLines = options.lastLines;
    this.target = target;
    this.restarts = currentRunId(target) === '' && target.restartCount === 0 ? -1 : target.restartCount;
    this.position = end?.position ?? new Position();
    this.runId = end?.runId ?? '';
    this.#first = this.position.first;
    this.#before = new Position();
  }

  see(target: ContainerTarget): void {
    this.target = target;
    this.#deletion.see(target);
  }

  /** Whether the lines read may be of a run that the pod told of just now. */
  get isToldLate(): boolean {
    const present = currentRunId(this.target);
    const isOther = this.runId !== '' && present !== '' && present !== this.runId;
    return isOther && this.#first !== undefined && mayBeOfPresent(this.target, this.#first);
  }

  /** A container that joined: the run before the present one belongs to it too, where it is wanted. */
  async begin(): Promise<void> {
    // The container may be started again meanwhile: the run in between is not skipped.
    const [previousId, presentId] = [previousRunId(this.target), currentRunId(this.target)];
    if (this.#options.previous !== 'no' && previousId !== undefined) {
      this.runId = previousId;
      await this.readRest(true);
    }
    this.#goTo(presentId);
  }

  /** Nothing was read of that run so far. */
  #goTo(runId: string): void {
    this.runId = runId;
    this.#first = undefined;
    this.position.beginRun();
    this.#before = this.position.fork();
  }

  push(records: readonly LogRecord[]): Promise<void> {
    this.#first ??= records[0]?.at;
    this.#deletion.doubt();
    return this.#options.push(records);
  }

  /** Another run has begun: the rest of the one before it first. */
  async turnTo(look: ContainerTarget, present: string): Promise<void> {
    const [last, { first }] = [look.lastContainerId, this.position];
    if (this.runId === '' && first !== undefined) {
      // It was read before the pod's status named it.
      this.runId = runReadUnnamed(look, first);
      this.restarts = look.restartCount - (this.runId === present ? 0 : 1);
      if (this.runId === present) {
        if (last !== undefined && last !== present) this.#voice.lostRun(this.target);
        return;
      }
    } else if (this.#first !== undefined) {
      const read = await runReadUnder(this.#context, look, this.runId, this.#first);
      if (read !== this.runId) await this.#makeUp(look, read, this.#first);
      if (read === present) return;
    }
    // Of a run that is not there any more nothing tells whether all that was read under it is its own.
    const isDoubted =
      this.#first !== undefined &&
      (last !== this.runId || (look.state.kind === 'running' && mayBeOfPresent(look, this.#first)));
    const isBetween = last !== undefined && last !== this.runId && last !== present;
    const isCut = this.runId !== '' && this.#drained !== this.runId;
    if (isCut && last === this.runId) await this.readRest(true, { isDoubted });
    else if (isCut || look.restartCount - this.restarts > (isBetween ? 2 : 1)) {
      const from = isDoubted ? undefined : this.position.max;
      this.#voice.lost(this.target, from, 'the container was started again more than once');
    }
    if (isBetween) {
      this.#goTo(last);
      await this.readRest(true);
    }
    if (this.runId !== '') this.#voice.tell(this.target, 'restarted', `restart ${look.restartCount}`);
    this.#goTo(present);
    this.lastLines = undefined;
    this.restarts = look.restartCount;
  }

  /** Lines of a later run were read under the present one: what is there of that, and of what lies between. */
  async #makeUp(look: ContainerTarget, read: string, first: Timestamp): Promise<void> {
    const last = look.lastContainerId;
    const isMissed = this.#drained !== this.runId;
    const isThere = last === this.runId && !(this.position instanceof ResumedPosition);
    let isLost = isMissed && !isThere;
    if (last !== undefined && last !== read && (isThere ? isMissed : last !== this.runId)) {
      this.runId = last;
      const push = (records: readonly LogRecord[]) => {
        const own = records.filter(({ at }) => compareTimestamps(at, first) < 0);
        // By now that is served which was read already.
        isLost ||= own.length < records.length;
        return this.push(own);
      };
      await this.readRest(true, { position: this.#before, push });
    }
    if (isLost) this.#voice.lostRun(this.target);
    this.runId = read;
    this.lastLines = undefined;
    this.restarts = look.restartCount - (read === last ? 1 : 0);
    this.#voice.tell(this.target, 'restarted', `restart ${this.restarts}`);
  }

  /** Reads a run to its end; its unterminated last line too, if it is over: else that comes whole later. */
  async readRest(previous: boolean, rest: RestOptions = {}): Promise<void> {
    const { isOver = true, position = this.position } = rest;
    const { outcome, gaps, isDoubtful } = await readRunRest(this.#context, {
      target: this.target,
      runId: this.runId,
      previous,
      isOver,
      position,
      from: this.#options.from,
      push: rest.push ?? ((records) => this.push(records)),
    });
    if (isDoubtful) this.#deletion.doubt();
    const isWhole = !previous && this.#deletion.endOf(this.runId) !== undefined;
    if (isWhole && (outcome?.kind === 'gone' || outcome?.kind === 'failed')) return this.lastWords(false);
    const isRemoved = outcome?.kind === 'absent' || outcome?.kind === 'gone' || outcome?.kind === 'moved';
    if (isRemoved && rest.isDoubted) return this.#voice.lostRun(this.target);
    for (const gap of gaps) this.#context.report(gap);
    if (outcome?.kind === 'moved' && !previous) return this.readRest(true, rest);
    if (isRemoved) {
      if (!position.hasLines) this.#voice.lostRun(this.target);
    } else reportOutcome(this.#context, this.target, outcome);
  }

  /** The pod is gone: its last, unterminated line; or the notice that something may be missing. */
  async lastWords(isBroken: boolean): Promise<void> {
    const isDrained = this.#drained === this.runId;
    const isCut = isBroken && !isDrained && !this.#deletion.hasEnd(this.runId);
    const last = isCut ? undefined : await this.#context.lastStatus?.();
    const present = last === undefined ? '' : currentRunId(last);
    if (this.runId !== '' && present !== '' && present !== this.runId) this.#voice.lostRun(this.target);
    if (isDrained) return;
    const end = this.#deletion.endOf(this.runId);
    if (end === undefined) return this.#voice.lostEnd(this.target, this.position.max, isBroken);
    if (end.rest !== undefined) await this.#options.push([end.rest]);
  }

  /** The run is over: what is left of it, once. */
  async drain(): Promise<void> {
    if (this.runId === '' || this.#drained === this.runId) return;
    await this.readRest(false);
    this.#drained = this.runId;
  }
}
