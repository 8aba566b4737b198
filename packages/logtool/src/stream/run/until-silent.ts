import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ProblemError } from '@logtool/kube/src/values/problems.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { RunReader } from './run-reader.ts';

/** How long to wait for the next lines of a run, in ms. */
export interface LinePatience {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends the requests of the reader. */
  readonly stop: AbortController;
}

/**
 * Yields what a reader reads. If its next lines do not come in time, the read has failed: its outcome says so, and a gap is
 * reported after lines that were given.
 */
export async function* untilSilent(
  reader: RunReader,
  { clock, limitMs, stop }: LinePatience,
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  const batches = reader.batches();
  try {
    for (;;) {
      const silent = () => stop.abort(new ProblemError({ code: 'log-silent', data: { limitMs } }));
      const cancel = clock.after(limitMs, silent);
      const step = await batches.next().finally(cancel);
      if (step.done === true) return;
      yield step.value;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    if (reader.hasLines) reader.reportGap({ code: 'end-unread', data: {} });
    // Answers that were failures say more than the silence between them.
    reader.outcome = { kind: 'failed', error: reader.failures.lastError ?? error };
  } finally {
    await batches.return();
  }
}
