import { isUtf8 } from 'node:buffer';
import { detectLevel } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { decodeUtf8 } from '../../domain/sanitize.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

/** What JSON leaves as it is though a terminal should not get it: DEL, C1 and bidirectional controls. */
const SUSPECT = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One JSON object a line. A message that is a JSON object comes as `json` too, with its numbers unrounded. */
export function createJsonFormat(options: {
  readonly time: TimeFormat;
  readonly terminal: boolean;
}): RecordFormat {
  return {
    see: () => undefined,
    header: () => undefined,
    append(record, to) {
      const line = jsonLine(record, options.time);
      to.text(options.terminal ? line.replace(SUSPECT, escapeUnit) : line);
      to.newline();
    },
  };
}

function jsonLine(record: LogRecord, time: TimeFormat): string {
  const { target } = record.source;
  const message = decodeUtf8(record.message);
  const fields = {
    timestamp: time.format(record.at),
    message,
    namespace: target.namespace,
    pod: target.pod,
    container: target.container,
    node: target.placement.node,
    stream: record.stream,
    level: detectLevel(record.message),
    late: record.late ? true : undefined,
    messageBase64: isUtf8(record.message) ? undefined : Buffer.from(record.message).toString('base64'),
  };
  const text = JSON.stringify(fields);
  const json = embeddable(message);
  return json === undefined ? text : `${text.slice(0, -1)},"json":${json}}`;
}

/** The text itself where it is a JSON object: parsing and writing it again would round large numbers. */
function embeddable(message: string): string | undefined {
  const text = message.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  // The only control characters left are blanks between tokens; a CR would break the line for some readers.
  return text.replaceAll(/[\r\n\t]/g, ' ');
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
