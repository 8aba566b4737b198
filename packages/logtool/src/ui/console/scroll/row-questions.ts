import type { Anchor } from '../../worker/protocol/protocol.ts';
import type { AnswerTo, LogWorker } from '../../worker/session/log-worker-client.ts';

/** Rows around an anchor; the anchor counts as below. */
export interface RowQuestion {
  readonly anchor: Anchor;
  readonly above: number;
  readonly below: number;
}

interface RowQuestionsOptions {
  readonly worker: Pick<LogWorker, 'ask'>;
  /** What to ask now. */
  readonly question: () => RowQuestion;
  /** Takes an answer. Returns true if it is already outdated. */
  readonly take: (anchor: Anchor, answer: AnswerTo<'rows'>) => boolean;
}

/** Asks the worker for rows, one question at a time: later questions wait for the answer. */
export class RowQuestions {
  readonly #options: RowQuestionsOptions;
  #isAsking = false;
  #askAgain = false;

  constructor(options: RowQuestionsOptions) {
    this.#options = options;
  }

  ask(): void {
    if (this.#isAsking) {
      this.#askAgain = true;
      return;
    }
    this.#isAsking = true;
    this.#askAgain = false;
    const question = this.#options.question();
    this.#options.worker.ask({ type: 'rows', ...question }).then(
      (answer) => {
        this.#isAsking = false;
        const isOutdated = this.#options.take(question.anchor, answer);
        if (this.#askAgain || isOutdated) this.ask();
      },
      // The worker is gone: the session shows that.
      () => undefined,
    );
  }
}
