import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { EntryId, Row } from '../../worker/session/protocol.ts';
import type { Placement } from './place-rows.ts';

/** Reports changes of the rows in view to the worker: it loads more near them, and keeps them. */
export class ReportedViewport {
  readonly #worker: Pick<LogWorker, 'send'>;
  #last: { readonly first: EntryId; readonly last: EntryId } | undefined;

  constructor(worker: Pick<LogWorker, 'send'>) {
    this.#worker = worker;
  }

  report(rows: readonly Row[], placement: Placement): void {
    const first = rows[placement.first]?.entry;
    const last = rows[placement.last]?.entry;
    if (first === undefined || last === undefined) return;
    if (this.#last?.first === first && this.#last.last === last) return;
    this.#last = { first, last };
    this.#worker.send({ type: 'viewport', first, last });
  }
}
