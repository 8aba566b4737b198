import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure, type TemplateLimit } from '../failures.ts';

export interface TemplateLimits {
  /** Maximum rendering time in ms. */
  readonly timeMs: number;
  /** Maximum text in characters that all templates of a rendering may write and functions may build. */
  readonly outputCharacters: number;
}

/** Far above what any real chart needs, and low enough to protect the machine. */
export const TEMPLATE_LIMITS: TemplateLimits = { timeMs: 60_000, outputCharacters: 128 * 2 ** 20 };

const STEPS_BETWEEN_CHECKS = 1024;
/** A few steps can be slow too, if each produces much. */
const UNITS_BETWEEN_CHECKS = 2 ** 20;

/** The remaining time and output of a rendering. */
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

  /** Counts one step. Throws CodedError `template-limit` once the time is over. */
  step(): void {
    this.#steps++;
    if (this.#steps % STEPS_BETWEEN_CHECKS === 0) this.#checkTime();
  }

  /** Counts text, or list elements. Throws CodedError `template-limit` beyond the limit, or once the time is over. */
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

/** Returns the error that rendering took too long. */
export function tooSlow(): CodedError {
  return limitError({ of: 'time' });
}

/** Returns the error that templates reached a limit. */
export function limitError(limit: TemplateLimit): CodedError {
  return helmFailure('template-limit', limit);
}
