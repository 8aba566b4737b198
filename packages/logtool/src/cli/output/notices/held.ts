import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { LogtoolError } from '../../messages/logtool-error.ts';
import { newFailures } from './failures.ts';
import { newGaps, newWaits } from './gaps.ts';

/** Items that wait a moment for others of the same cause: failures, gaps, and waiting containers. */
export class Held {
  readonly gaps: ReturnType<typeof newGaps>;
  readonly waits: ReturnType<typeof newWaits>;
  readonly problems: ReturnType<typeof newFailures>;

  constructor(
    clock: Clock,
    notify: (line: string) => Promise<void>,
    report: (error: LogtoolError) => Promise<void>,
  ) {
    this.gaps = newGaps(clock, notify);
    this.waits = newWaits(clock, notify);
    this.problems = newFailures(clock, report);
  }

  /** Reports all items now. */
  async flush(): Promise<void> {
    await this.gaps.flush();
    await this.waits.flush();
    await this.problems.flush();
  }
}
