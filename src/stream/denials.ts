import { StreamAbort } from './follow-connection.ts';
import { classifyFailure } from './source-failure.ts';

const FEW_TRIES = 3;

/** The refusals of one followed container, counted: 401 and 403 may pass, but not for who never read a line. */
export class Denials {
  #inARow = 0;

  /** The server gave an answer. */
  onAnswer(): void {
    this.#inARow = 0;
  }

  /** Notes how a connection failed, and whether another one is of no use. */
  isFinal(error: unknown, everRead: boolean): boolean {
    const { kind } = classifyFailure(error);
    this.#inARow = kind === 'denied' ? this.#inARow + 1 : 0;
    if (this.#inARow >= FEW_TRIES && !everRead) return true;
    return kind === 'fatal' && !(error instanceof StreamAbort);
  }
}
