import { legibleText } from '../../ansi/plain-text.ts';
import type { Row } from '../../worker/session/protocol.ts';

/** A longer line is not parsed for a column: rows are drawn sixty times a second. */
const LIMIT_UNITS = 64_000;
const SHOWN_UNITS = 300;

/** What a JSON line has at a path (`req.route`; a key with dots is found too), as text; undefined: nothing. */
export function jsonPathText(
  row: Pick<Extract<Row, { kind: 'line' }>, 'isJson' | 'text'>,
  path: string,
): string | undefined {
  if (!row.isJson || row.text.length > LIMIT_UNITS) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(row.text.replace(/\x1b\[[0-9:;]*[mK]/g, ''));
  } catch {
    return undefined;
  }
  const found = valueAt(value, path);
  if (found === undefined) return undefined;
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  return legibleText(text.slice(0, SHOWN_UNITS).replace(/\s*[\r\n]+\s*/g, ' '));
}

/** Own properties only: a path may come from a link. */
function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    if (!Object.hasOwn(value, key)) continue;
    const found = valueAt((value as Record<string, unknown>)[key], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
