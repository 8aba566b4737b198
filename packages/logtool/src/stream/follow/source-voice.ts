import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { ReadContext } from '../read-context.ts';
import { type Look, outcomeOfMissing } from '../run/pod-look.ts';
import { classifyFailure } from '../run/source-failure.ts';
import { errorText, reportSource } from '../run/source-report.ts';
import { StreamAbort } from '../run/stream-abort.ts';

/** Tells of one followed container, each state once and not at every try. */
export class SourceVoice {
  readonly #context: ReadContext;
  #told = '';

  constructor(context: ReadContext) {
    this.#context = context;
  }

  tell(
    target: ContainerTarget,
    state: 'waiting' | 'restarted' | 'reconnecting' | 'finished',
    detail: string,
    error?: unknown,
  ): void {
    const told = state === 'reconnecting' ? state : `${state} ${detail}`;
    if (this.#told === told) return;
    this.#told = told;
    reportSource(this.#context, target, state, detail, error);
  }

  /** The connection broke, by the state of its pod after that. */
  broken(target: ContainerTarget, look: Look, error: unknown): void {
    if (error instanceof StreamAbort) return;
    // A node that was not told of the pod yet has no log of it: nothing is broken.
    if (classifyFailure(error).kind === 'missing' && outcomeOfMissing(look) !== undefined) return;
    this.tell(target, 'reconnecting', errorText(error), error);
  }

  /** The connection stands. Only one that was told to be lost is told to be back. */
  back(target: ContainerTarget): void {
    if (this.#told !== 'reconnecting') return;
    this.#told = '';
    reportSource(this.#context, target, 'reconnected', '');
  }

  /** Records came: what was told is over. */
  forget(): void {
    this.#told = '';
  }

  /** No more can be read of the container; another connection is of no use. */
  failed(target: ContainerTarget, error: unknown): void {
    reportSource(this.#context, target, 'failed', errorText(error), error);
  }

  /** All behind a time, or a whole run, may be missing. */
  lost(target: ContainerTarget, from: Timestamp | undefined, why: string): void {
    this.gap(target, from, undefined, why);
  }

  /** A whole run is missing. */
  lostRun(target: ContainerTarget): void {
    this.lost(target, undefined, 'a run ended and was removed before it could be read');
  }

  /** The pod was deleted, and its log may have had more. */
  lostEnd(target: ContainerTarget, from: Timestamp | undefined, isBroken: boolean): void {
    const how = isBroken ? 'while its log was cut off' : 'before the end of its log was certain';
    this.lost(target, from, `the pod was deleted ${how}`);
  }

  gap(target: ContainerTarget, from: Timestamp | undefined, to: Timestamp | undefined, why: string): void {
    this.#context.report({ type: 'gap', target, from, to, why });
  }
}
