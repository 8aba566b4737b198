import type { LaneEnd } from '../window/container-lane.ts';

/** Far more than leave a view and still exist. */
const MOST_REMEMBERED = 10_000;

/**
 * Where containers stood that left a view without being deleted (a pod that was given other labels), so that one that
 * comes back goes on there: its log is still the same.
 */
export class Departed {
  readonly #ends = new Map<string, LaneEnd>();

  /** `end` is undefined for a container that cannot come back. Of too many the oldest are let go. */
  remember(id: string, end: LaneEnd | undefined): void {
    if (end === undefined) return;
    this.#ends.set(id, end);
    if (this.#ends.size <= MOST_REMEMBERED) return;
    for (const oldest of this.#ends.keys()) {
      this.#ends.delete(oldest);
      return;
    }
  }

  /** Where the container stood when it left; once. */
  take(id: string): LaneEnd | undefined {
    const end = this.#ends.get(id);
    this.#ends.delete(id);
    return end;
  }

  /** Its pod is deleted: it does not come back. */
  forget(id: string): void {
    this.#ends.delete(id);
  }
}
