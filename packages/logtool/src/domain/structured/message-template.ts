import { quoteOf } from './quote-of.ts';
import type { FoundField, Piece } from './structured-line.ts';

/** Keys with a template as their value: Serilog's compact JSON, and its older format. */
const TEMPLATE_KEYS: ReadonlySet<string> = new Set(['@mt', 'MessageTemplate']);
/** Where the properties of a template are: beside it, or in an object. */
const PROPERTIES = ['', 'Properties.'] as const;
/** `{Id}`, `{@Order}`, `{Elapsed,8:0.00}`; a doubled brace stands for one (messagetemplates.org). */
const HOLE = /\{\{|\}\}|\{[@$]?(\w{1,100})(?:,-?\d{1,3})?(:[^{}]{1,40})?\}/g;
/** Further holes of a template stay as written, and so does the rest of a longer value. */
const MAX_HOLES = 50;
const MAX_VALUE_UNITS = 200;

/** Returns the message of a line; fills in the values of its properties if it is a template. */
export function filledMessage(own: FoundField, fields: readonly FoundField[]): readonly Piece[] {
  if (!TEMPLATE_KEYS.has(own.key)) return own.shown;
  const holes = new Holes(fields);
  return own.shown.flatMap((piece) =>
    piece.text.length === piece.end - piece.start ? holes.fill(piece) : [piece],
  );
}

/** The holes of one template, from left to right. */
class Holes {
  #filled = 0;
  readonly #fields: readonly FoundField[];
  /** Values as the program wrote them, one for each hole with a format. */
  readonly #rendered: string[];

  constructor(fields: readonly FoundField[]) {
    this.#fields = fields;
    this.#rendered = renderings(fields.find(({ key }) => key === '@r')?.value);
  }

  /** Returns the pieces of a text: the value of a hole takes no room in the line. */
  fill({ start, text }: Piece): readonly Piece[] {
    const pieces: Piece[] = [];
    let from = 0;
    const keep = (to: number) => {
      if (to > from) pieces.push({ start: start + from, end: start + to, text: text.slice(from, to) });
    };
    for (const { 0: hole, 1: name, 2: format, index } of text.matchAll(HOLE)) {
      if (name === undefined) {
        keep(index + 1);
        from = index + hole.length;
        continue;
      }
      const value = this.#valueOf(name, format);
      if (value === undefined || this.#filled === MAX_HOLES) continue;
      this.#filled++;
      keep(index);
      from = index + hole.length;
      if (value !== '') pieces.push({ start: start + index, end: start + index, text: shortened(value) });
    }
    keep(text.length);
    return pieces;
  }

  #valueOf(name: string, format: string | undefined): string | undefined {
    const rendered = format === undefined ? undefined : this.#rendered.shift();
    if (rendered !== undefined) return rendered;
    for (const prefix of PROPERTIES) {
      const found = this.#fields.find(({ key }) => key === prefix + name);
      if (found !== undefined) return found.value;
    }
    return this.#objectOf(name);
  }

  /** Returns an object, whose fields stand by themselves, as Serilog prints it: `{ Id: 1 }`. */
  #objectOf(name: string): string | undefined {
    for (const prefix of PROPERTIES) {
      const path = `${prefix}${name}.`;
      const own = this.#fields.filter(({ key }) => key.startsWith(path));
      const members = own.map(({ key, value }) => {
        const quote = quoteOf(value);
        return `${key.slice(path.length)}: ${quote}${value}${quote}`;
      });
      if (members.length > 0) return `{ ${members.join(', ')} }`;
    }
    return undefined;
  }
}

function renderings(json: string | undefined): string[] {
  if (json === undefined) return [];
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) ? values.map(String) : [];
  } catch {
    return [];
  }
}

function shortened(value: string): string {
  return value.length > MAX_VALUE_UNITS ? `${value.slice(0, MAX_VALUE_UNITS)}…` : value;
}
