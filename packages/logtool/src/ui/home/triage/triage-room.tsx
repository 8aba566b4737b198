import { StoredByContext } from '../../frame/stored-list.ts';
import './triage.css';

const stored = new StoredByContext('triage', (value): value is number => {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 5;
});
/** Rows to reserve for a cluster that this browser has never shown. */
const FIRST = 1;

/** Reserves space for the problems until they are known. */
export function TriageRoom({ context }: { readonly context: string | undefined }) {
  const rows = roomOf(context);
  if (rows === 0) return null;
  return (
    <div className="triage" aria-hidden="true" data-triage-room="">
      <p className="triage-head">
        <span className="bone" />
      </p>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
        <p key={index} className="triage-row">
          <span className="bone" />
        </p>
      ))}
    </div>
  );
}

/** Returns how many problems a context had last time, so that nothing moves when they arrive. */
function roomOf(context: string | undefined): number {
  return stored.of(context) ?? FIRST;
}

/** Remembers the number of rows for the next visit. */
export function rememberRoom(context: string, rows: number): void {
  stored.set(context, rows);
}
