import { decodeUtf8, sanitizeLine, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { detectLevel } from '../../../domain/level.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { TemplatePart } from '../../plan/logs/logs-plan.ts';
import { createSafeValue } from './column-value.ts';
import type { Highlight } from './highlight.ts';
import { jsonValueText } from './json-value.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

interface TemplateOptions {
  readonly parts: readonly TemplatePart[];
  readonly time: TimeFormat;
  /** Standard output is a terminal: control characters of messages are escaped, as those of names are everywhere. */
  readonly terminal: boolean;
  readonly color: boolean;
  readonly highlight: Highlight | undefined;
}

/** Lines as --format writes them; a field without a value is `-`, as in the table. */
export function createTemplateFormat(options: TemplateOptions): RecordFormat {
  const { time, terminal, color, highlight = (text: string) => text } = options;
  const clean = terminal ? sanitizeText : (text: string) => text;
  const safeValue = createSafeValue();
  const textOf = (part: Exclude<TemplatePart, { kind: 'text' | 'message' }>, record: LogRecord) => {
    switch (part.kind) {
      case 'column':
        return part.column === 'timestamp'
          ? time.format(record.at)
          : safeValue(part.column, record.source) || '-';
      case 'level':
        return detectLevel(record.message);
      case 'json':
        return jsonValueText(decodeUtf8(record.message), part.path);
    }
  };
  return {
    see: () => undefined,
    header: () => undefined,
    append(record, to) {
      for (const part of options.parts) {
        if (part.kind === 'text') to.text(part.text);
        else if (part.kind !== 'message') to.text(clean(textOf(part, record) ?? '-') || '-');
        else if (terminal) to.text(highlight(sanitizeLine(decodeUtf8(record.message), color)));
        else to.bytes(record.message);
      }
      to.newline();
    },
  };
}
