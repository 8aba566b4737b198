import './triage.css';

const KEY = 'logtool.triage';
const MAX_CONTEXTS = 20;
/** Of a cluster that was never seen here: room for one. */
const FIRST = 1;

/** The room of the problems before they are known. */
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

/** How many rows the list of problems of a context had last, so that nothing moves when they come. */
function roomOf(context: string | undefined): number {
  const rows = context === undefined ? undefined : new Map(read()).get(context);
  return rows ?? FIRST;
}

/** Remembers it for the next visit. */
export function rememberRoom(context: string, rows: number): void {
  const others = read().filter(([name]) => name !== context);
  try {
    localStorage.setItem(KEY, JSON.stringify([[context, rows], ...others].slice(0, MAX_CONTEXTS)));
  } catch {
    // Full or forbidden: the list moves down once when it is loaded.
  }
}

function read(): readonly (readonly [string, number])[] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is readonly [string, number] {
  if (!Array.isArray(value)) return false;
  const [name, rows]: unknown[] = value;
  return typeof name === 'string' && Number.isInteger(rows) && Number(rows) >= 0 && Number(rows) <= 5;
}
