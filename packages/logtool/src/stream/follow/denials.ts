import { isKubeError } from '@logtool/kube/src/errors.ts';
import { classifyFailure } from '../run/source-failure.ts';
import { AccessWithdrawn, StreamAbort } from '../run/stream-abort.ts';

const FEW_TRIES = 3;

/**
 * The refusals of one followed container, counted: 401 and 403 may pass, and so may a plugin that has no credentials
 * for the moment, but not for who was never answered, nor for who lost the permission meanwhile.
 */
export class Denials {
  #inARow = 0;
  #wasAnswered = false;
  #isWithdrawn = false;

  /** The server gave an answer. */
  onAnswer(): void {
    this.#inARow = 0;
    this.#wasAnswered = true;
    this.#isWithdrawn = false;
  }

  /** Notes how a connection failed, and whether another one is of no use. */
  isFinal(error: unknown, everRead: boolean): boolean {
    const { kind } = classifyFailure(error);
    this.#inARow = kind === 'denied' ? this.#inARow + 1 : 0;
    if (error instanceof AccessWithdrawn) this.#isWithdrawn = true;
    if (this.#isWithdrawn && isKubeError(error, 'forbidden')) return true;
    const isWelcome = everRead || this.#wasAnswered;
    if (this.#inARow >= FEW_TRIES && !isWelcome) return true;
    if (isWelcome && (isKubeError(error, 'credentials') || isKubeError(error, 'tls'))) return false;
    return kind === 'fatal' && !(error instanceof StreamAbort);
  }
}
