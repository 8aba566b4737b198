import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import { aboutOf, type StateFrame, stateKey, textOfMany } from '../../messages/markers.ts';
import type { EntryId } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { Marker } from '../store/line-store.ts';

/** Events within this time after the first belong together, ms. */
const MOMENT_MS = 3_000;
/** States whose rows are the same for every container. Others concern one container, or come before its lines. */
const FOLDED: ReadonlySet<Marker['marker']> = new Set(['waiting', 'finished', 'left']);

interface Folded {
  readonly entry: EntryId;
  /** By id. */
  readonly sources: Map<string, LogSource>;
  readonly sinceMs: number;
  others: number;
}

/** Adds one row for what happens to several containers of a workload at once, and counts them in it. */
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
      before.sources.set(wire.id, wire);
      before.others += frame.others ?? 0;
      const text = textOfMany(frame, before.sources.size + before.others, wire.arguments);
      const about = before.others > 0 ? {} : aboutOf(frame, [...before.sources.values()]);
      if (before.sources.size > 1) {
        const { about: _, ...rest } = marker;
        this.#log.store.changeMarker(before.entry, { ...rest, ...about, source: undefined, text });
      }
      return;
    }
    const entry = this.#log.mark(marker);
    if (entry === undefined) return;
    this.#rows.set(key, {
      entry,
      sources: new Map([[wire.id, wire]]),
      sinceMs: now,
      others: frame.others ?? 0,
    });
  }
}
