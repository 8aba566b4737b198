import { decodeUtf8, sanitizeLine, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { detectLevel } from '../../../domain/level.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { TemplateToken } from '../../plan/logs/logs-plan.ts';
import { createSafeValue } from './column-value.ts';
import type { Highlight } from './highlight.ts';
import { jsonValueText } from './json-value.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

interface TemplateOptions {
  readonly tokens: readonly TemplateToken[];
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
  const textOf = (token: Exclude<TemplateToken, { kind: 'text' | 'message' }>, record: LogRecord) => {
    switch (token.kind) {
      case 'column':
        return token.column === 'timestamp'
          ? time.format(record.at)
          : safeValue(token.column, record.source) || '-';
      case 'level':
        return detectLevel(record.message);
      case 'json':
        return jsonValueText(decodeUtf8(record.message), token.path);
    }
  };
  return {
    see: () => undefined,
    header: () => undefined,
    append(record, to) {
      for (const token of options.tokens) {
        if (token.kind === 'text') to.text(token.text);
        else if (token.kind !== 'message') to.text(clean(textOf(token, record) ?? '-') || '-');
        else if (terminal) to.text(highlight(sanitizeLine(decodeUtf8(record.message), color)));
        else to.bytes(record.message);
      }
      to.newline();
    },
  };
}
