import { decodeUtf8, sanitizeLine, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { detectLevel } from '../../../domain/level.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { TemplateToken } from '../../plan/logs/logs-plan.ts';
import { createSafeValue } from './column-value.ts';
import type { Highlight } from './highlight.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

type Value = string | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** JSON strings and numbers: matching strings keeps digits inside them from counting as numbers. */
const SCALARS = /"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g;

/** Marks a number that stays text: parsing would round it. */
const NUMBER = '\0';

interface TemplateOptions {
  readonly tokens: readonly TemplateToken[];
  readonly time: TimeFormat;
  /**
   * Standard output is a terminal: escape control characters of messages, too; those of names are always
   * escaped.
   */
  readonly terminal: boolean;
  readonly color: boolean;
  readonly highlight: Highlight | undefined;
}

/** Formats lines for --format; a field without a value is `-`, as in the table. */
export function createTemplateFormat(options: TemplateOptions): RecordFormat {
  const { time, terminal, color, highlight = (text: string) => text } = options;
  const clean = terminal ? sanitizeText : (text: string) => text;
  const safeValue = createSafeValue();
  const textOf = (token: Exclude<TemplateToken, { kind: 'text' | 'message' }>, record: LogRecord) => {
    switch (token.kind) {
      case 'column':
        return token.column === 'timestamp'
          ? time.format(record.at)
          : safeValue(token.column, record.run) || '-';
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

/**
 * Returns a value of a message that is a JSON object, as text: strings without quotes and on one line,
 * numbers with all digits, lists and objects as JSON. Undefined if the message is not a JSON object, or lacks
 * the value.
 */
export function jsonValueText(message: string, path: readonly string[]): string | undefined {
  if (!message.trimStart().startsWith('{')) return undefined;
  let value: Value | undefined;
  try {
    value = JSON.parse(
      message.replaceAll(SCALARS, (scalar) => (scalar.startsWith('"') ? scalar : `"\\u0000${scalar}"`)),
    );
  } catch {
    return undefined;
  }
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, Value>>)[key];
  }
  if (value === undefined) return undefined;
  if (typeof value === 'string')
    return value.startsWith(NUMBER) ? value.slice(1) : value.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return JSON.stringify(value).replaceAll(/"\\u0000([^"]*)"/g, '$1');
}
