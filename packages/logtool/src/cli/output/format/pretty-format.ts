import { decodeUtf8, sanitizeLine, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { Level } from '../../../domain/filter.ts';
import { detectLevel } from '../../../domain/level.ts';
import type { LogRecord } from '../../../domain/record.ts';
import { identityOf } from '../../../domain/speakers/hues.ts';
import { speakerNames } from '../../../domain/speakers/speaker-names.ts';
import { quoteOf } from '../../../domain/structured/quote-of.ts';
import { shortPieces, structureLine } from '../../../domain/structured/structure-line.ts';
import type { LineField, StructuredLine } from '../../../domain/structured/structured-line.ts';
import type { FieldChoice } from '../../plan/logs/logs-plan.ts';
import type { DotColors } from './colors.ts';
import type { Highlight } from './highlight.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

interface PrettyOptions {
  readonly time: TimeFormat;
  readonly fields: FieldChoice;
  readonly color: boolean;
  /** Undefined without color. */
  readonly dots: DotColors | undefined;
  readonly highlight: Highlight | undefined;
}

const LETTERS = { fatal: 'F', error: 'E', warn: 'W', info: 'I', debug: 'D', trace: 'T' } as const;
const RED = '31';
const KEY_COLOR = '36';
const LEVEL_COLORS: Readonly<Partial<Record<Level, string>>> = { fatal: RED, error: RED, warn: '33' };
/** Length of `2026-11-21T10:00:00.123`, from a time with all nine digits. */
const TIME_LENGTH = 23;

/**
 * Formats lines for people: level, time, the container if there are several, the message, the error, then the
 * other fields. Shows a line of unknown format unchanged. Escapes for a terminal in a pipe, too: it may lead
 * to a pager.
 */
export function createPrettyFormat(options: PrettyOptions): RecordFormat {
  const { time, fields, color, dots, highlight = (text: string) => text } = options;
  const names = new SpeakerNames();
  const paint = (text: string, code: string | undefined) =>
    color && code !== undefined ? `\x1b[${code}m${text}\x1b[0m` : text;
  // Shows an ID in full to a user who searches for it.
  const shownValue = (field: LineField) =>
    options.highlight === undefined && fields.only.length === 0
      ? shortPieces(field)
          .map(({ text }) => text)
          .join('')
      : field.shown.map(({ text }) => text).join('');
  const fieldText = (field: LineField) => {
    const quote = quoteOf(field.value);
    const value = `${quote}${sanitizeText(shownValue(field))}${quote}`;
    const key = `${sanitizeText(field.key)}=`;
    return field.isError ? paint(key + value, RED) : paint(key, KEY_COLOR) + value;
  };
  const messageText = (text: string, level: Level | undefined) => {
    const structured = structureLine(text, level);
    if (structured === undefined) return sanitizeLine(text, color);
    const message = sanitizeText(structured.message.map((piece) => piece.text).join(''));
    const shown = chosenFields(structured, fields).map(fieldText).join(' ');
    return message === '' || shown === '' ? message + shown : `${message}  ${shown}`;
  };
  return {
    see: (target: ContainerTarget) => {
      dots?.see(identityOf(target));
      names.see(target);
    },
    header: () => undefined,
    append({ at, run, message }: LogRecord, to) {
      const level = detectLevel(message);
      to.text(paint(level === undefined ? ' ' : LETTERS[level], level && LEVEL_COLORS[level]));
      to.text(` ${time.format(at).slice(0, TIME_LENGTH).replace('T', ' ')} `);
      const name = names.of(run.target);
      if (name !== undefined) to.text(`${paint(sanitizeText(name), dots?.codeOf(identityOf(run.target)))} `);
      to.text(` ${highlight(messageText(decodeUtf8(message), level))}`);
      to.newline();
    },
  };
}

/** Returns the requested fields in the requested order; a time or a level only if requested. */
function chosenFields({ fields, hidden }: StructuredLine, choice: FieldChoice): readonly LineField[] {
  const left = choice.hidden.length === 0 ? fields : fields.filter(({ key }) => !choice.hidden.includes(key));
  if (choice.only.length === 0) return left;
  const all = [...left, ...hidden];
  return choice.only.flatMap((key) => all.filter((field) => field.key === key));
}

/** Short names of the containers in view, once there are two; they keep what distinguishes the containers. */
class SpeakerNames {
  readonly #seen = new Map<string, ContainerTarget>();
  #names: ReadonlyMap<string, string> | undefined;

  /** Registers a new container. */
  see(target: ContainerTarget): void {
    const key = identityOf(target);
    if (this.#seen.has(key)) return;
    this.#seen.set(key, target);
    this.#names = undefined;
  }

  /** Returns the name, padded to the widest; undefined if there is only one container. */
  of(target: ContainerTarget): string | undefined {
    this.see(target);
    if (this.#seen.size < 2) return undefined;
    this.#names ??= padded(speakerNames([...this.#seen.values()]));
    return this.#names.get(identityOf(target));
  }
}

function padded(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const width = Math.max(...[...names.values()].map(({ length }) => length));
  return new Map([...names].map(([key, name]) => [key, name.padEnd(width)]));
}
