import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The length of a line in these logs, including its newline. */
const LINE_BYTES = 150;
const CHUNK_LINES = 10_000;
const HISTORY_MS = 50 * 60 * 1000;
/** Containers whose lines interleave in time. */
interface Filled {
  readonly deployment: string;
  /** Per container. */
  readonly lines: number;
}

const linesIn = (bytes: number) => Math.ceil(bytes / LINE_BYTES);

export const LITERAL = 'upstream timed out';
/** Eleven lines of the long log contain this: finding the last ten requires reading almost all of it. */
export const RARE = 'disk quota exceeded';
const RARE_STEP = 97_001;
export const EXPRESSION = 'status=50[0-9] .*took=[0-9]{4}ms';

/** The logs that cases read, in files as a container runtime writes them: one line per entry. */
export const FILLED: readonly Filled[] = [
  { deployment: 'big', lines: linesIn(160e6) },
  { deployment: 'search', lines: linesIn(200e6) },
  { deployment: 'one', lines: 2_000 },
  { deployment: 'five', lines: 2_000 },
  { deployment: 'many', lines: 2_000 },
];

/** Writes the logs in the folder of a simulated cluster whose containers have written nothing yet. */
export function writeLogs(directory: string, filled = FILLED, endMs = Date.now()): void {
  const files = logFiles(join(directory, 'pods'));
  for (const { deployment, lines } of filled) {
    const own = files.filter(({ pod }) => pod.startsWith(`${deployment}-`));
    if (own.length === 0) throw new Error(`deployment ${deployment} has no log file in ${directory}`);
    const stepNs = (HISTORY_MS * 1e6) / (lines * own.length);
    const startMs = endMs - HISTORY_MS;
    for (const [index, { path }] of own.entries())
      writeLog(path, lines, (n) => stampAt(startMs, (n * own.length + index) * stepNs));
  }
}

/** Lists the files NODE/NAMESPACE_POD_UID/CONTAINER/0.log. */
function logFiles(pods: string): readonly { readonly pod: string; readonly path: string }[] {
  return readdirSync(pods, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('/0.log'))
    .sort()
    .map((name) => ({ pod: name.split('/')[1]?.split('_')[1] ?? '', path: join(pods, name) }));
}

function writeLog(path: string, lines: number, stamp: (n: number) => string): void {
  const file = openSync(path, 'a');
  try {
    for (let start = 0; start < lines; start += CHUNK_LINES) {
      let text = '';
      for (let n = start; n < Math.min(lines, start + CHUNK_LINES); n++)
        text += `${stamp(n)} stdout F ${message(n)}\n`;
      writeSync(file, text);
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Returns a typical server message; every hundredth contains the literal, every fiftieth matches the expression, almost
 * none contains the rare text.
 */
function message(n: number): string {
  const status = n % 50 === 7 ? 500 + (n % 4) : 200;
  const took = n % 50 === 7 ? 1000 + (n % 9000) : n % 900;
  const usual = n % 100 === 42 ? LITERAL : 'request served in order';
  const what = n % RARE_STEP === 13 ? RARE : usual;
  const head = `level=info request=${n} status=${status} route=/api/v1/orders/${n % 1000} took=${took}ms msg="${what}" `;
  return head.padEnd(LINE_BYTES - 1, 'abcdefghij klmnop ');
}

/** A line of the same length; `{n}` is the number. */
export const LINE =
  'level=info request={n} status=200 route=/api/v1/orders took=12ms msg="request served in order" '.padEnd(
    LINE_BYTES - 5,
    'abcdefghij klmnop ',
  );

/** Formats RFC 3339 with nine digits. */
function stampAt(startMs: number, afterNs: number): string {
  const ms = startMs + Math.floor(afterNs / 1e6);
  const rest = String(Math.floor(afterNs % 1e6)).padStart(6, '0');
  return `${new Date(ms).toISOString().slice(0, -1)}${rest}Z`;
}
