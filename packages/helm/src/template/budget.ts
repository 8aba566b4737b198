import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure, type TemplateLimit } from '../failures.ts';

export interface TemplateLimits {
  /** Longest time that rendering may take. */
  readonly timeMs: number;
  /** Most text, in characters, that all templates of a rendering may write and functions may build. */
  readonly outputCharacters: number;
}

/** Far above what any chart of use needs, and below what hurts. */
export const TEMPLATE_LIMITS: TemplateLimits = { timeMs: 60_000, outputCharacters: 128 * 2 ** 20 };

const STEPS_BETWEEN_CHECKS = 1024;
/** Few steps can take long too, when each makes much. */
const UNITS_BETWEEN_CHECKS = 2 ** 20;

/** What a rendering has left of its time and output. */
export class Budget {
  readonly #clock: Clock;
  readonly #limits: TemplateLimits;
  readonly #endMs: number;
  #spent = 0;
  #steps = 0;
  #checkSpent = UNITS_BETWEEN_CHECKS;

  constructor(clock: Clock, limits: TemplateLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#endMs = clock.now() + limits.timeMs;
  }

  /** Counts one step. Throws CodedError `template-limit` when the time is over. */
  step(): void {
    this.#steps++;
    if (this.#steps % STEPS_BETWEEN_CHECKS === 0) this.#checkTime();
  }

  /** Counts text, or elements of lists. Throws CodedError `template-limit` when it is too much, or the time is over. */
  charge(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#limits.outputCharacters) {
      throw limitError({ of: 'output', max: this.#limits.outputCharacters });
    }
    if (this.#spent < this.#checkSpent) return;
    this.#checkSpent = this.#spent + UNITS_BETWEEN_CHECKS;
    this.#checkTime();
  }

  #checkTime(): void {
    if (this.#clock.now() > this.#endMs) throw tooSlow();
  }
}

/** Rendering took more time than it may. */
export function tooSlow(): CodedError {
  return limitError({ of: 'time' });
}

/** A limit on what templates do is reached. */
export function limitError(limit: TemplateLimit): CodedError {
  return helmFailure('template-limit', limit);
}
