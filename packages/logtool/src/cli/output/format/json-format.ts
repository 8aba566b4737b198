import type { Run } from '../../../domain/record.ts';
import { recordJson } from '../../../stream/view/record-json.ts';
import { escapeJson, isUnsafeJson } from './escape-json.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

/**
 * Writes one JSON object per line. A message that is a JSON object is also in `json`, with unrounded numbers.
 */
export function createJsonFormat(options: {
  readonly time: TimeFormat;
  readonly terminal: boolean;
}): RecordFormat {
  // Names are always escaped: JSON parsers read the same, and a pipe may lead to a pager.
  const named = new WeakMap<Run, boolean>();
  const isSuspect = (source: Run) => {
    let known = named.get(source);
    if (known === undefined) {
      const { namespace, pod, container, placement } = source.target;
      known = isUnsafeJson([namespace, pod, container, placement.node].join());
      named.set(source, known);
    }
    return known;
  };
  return {
    see: () => undefined,
    header: () => undefined,
    append(record, to) {
      const line = recordJson(record, options.time.format(record.at));
      to.text(options.terminal || isSuspect(record.run) ? escapeJson(line) : line);
      to.newline();
    },
  };
}
