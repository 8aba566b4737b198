import { recordJson } from '../../stream/record-json.ts';
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
      const line = recordJson(record, options.time.format(record.at));
      to.text(options.terminal ? line.replace(SUSPECT, escapeUnit) : line);
      to.newline();
    },
  };
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
