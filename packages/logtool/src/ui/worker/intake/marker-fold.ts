import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import { type StateFrame, stateKey, textOfMany } from '../../messages/markers.ts';
import type { EntryId } from '../session/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { Marker } from '../store/line-store.ts';

/** What comes this soon after the first is of the same moment. */
const MOMENT_MS = 3_000;
/**
 * States whose rows are the same for every container. Others are of one container, or come before its lines.
 */
const FOLDED: ReadonlySet<Marker['marker']> = new Set(['waiting', 'finished', 'left']);

interface Folded {
  readonly entry: EntryId;
  readonly ids: Set<string>;
  readonly sinceMs: number;
  others: number;
}

/** Puts one row for what happens to several containers of a workload at once, and counts them in it. */
export class MarkerFold {
  readonly #log: HeldLog;
  readonly #clock: Clock;
  readonly #rows = new Map<string, Folded>();

  constructor(log: HeldLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  mark(marker: Marker, frame: StateFrame, wire: LogSource): void {
    if (!FOLDED.has(marker.marker)) {
      this.#log.mark(marker);
      return;
    }
    const workload = wire.arguments.join(' ');
    const key = `${stateKey(frame)} ${workload}`;
    const now = this.#clock.now();
    const before = this.#rows.get(key);
    if (before !== undefined && this.#log.store.isHeld(before.entry) && now - before.sinceMs <= MOMENT_MS) {
      before.ids.add(wire.id);
      before.others += frame.others ?? 0;
      const text = textOfMany(frame, before.ids.size + before.others, wire.arguments);
      if (before.ids.size > 1)
        this.#log.store.changeMarker(before.entry, { ...marker, source: undefined, text });
      return;
    }
    const entry = this.#log.mark(marker);
    if (entry === undefined) return;
    this.#rows.set(key, { entry, ids: new Set([wire.id]), sinceMs: now, others: frame.others ?? 0 });
  }
}
