import type { Source } from '../../../domain/record.ts';
import { recordJson } from '../../../stream/record-json.ts';
import { escapeJson, isUnsafeJson } from './escape-json.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

/** One JSON object a line. A message that is a JSON object comes as `json` too, with its numbers unrounded. */
export function createJsonFormat(options: {
  readonly time: TimeFormat;
  readonly terminal: boolean;
}): RecordFormat {
  // Names are escaped everywhere: to JSON it is the same, and a pipe may lead to a pager.
  const named = new WeakMap<Source, boolean>();
  const isSuspect = (source: Source) => {
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
      to.text(options.terminal || isSuspect(record.source) ? escapeJson(line) : line);
      to.newline();
    },
  };
}
