import { type Directive, formatArgument, PLAIN, verbatim } from './format.ts';
import { goTypeOf, kindOf } from './type.ts';
import { GoInt, type Value } from './value.ts';

/** fmt.Sprint: formats each value with `%v`, with a space between two that are not strings. */
export function sprint(values: readonly Value[]): string {
  let text = '';
  values.forEach((value, at) => {
    if (at > 0 && !isString(value) && !isString(values[at - 1]!)) text += ' ';
    text += verbatim(value);
  });
  return text;
}

function isString(value: Value): boolean {
  return kindOf(value) === 'string';
}

/** fmt.Sprintln: always adds a space between values, and a newline at the end. */
export function sprintln(values: readonly Value[]): string {
  return `${values.map(verbatim).join(' ')}\n`;
}

const MAX_NUMBER = 1e6;

const WIDE = 1000;

/**
 * fmt.Sprintf with every verb, flag, width, precision and argument index (https://pkg.go.dev/fmt#hdr-Printing). Errors
 * in the format appear in the text, as in Go. Calls `charge` beforehand with each width or precision that makes the
 * text much longer than the format.
 */
export function sprintf(
  format: string,
  args: readonly Value[],
  charge: (characters: number) => void = () => {},
): string {
  const scan: Scan = {
    charge,
    format,
    at: 0,
    args,
    next: 0,
    reordered: false,
    good: true,
    afterIndex: false,
  };
  let text = '';
  while (scan.at < format.length) {
    scan.good = true;
    const percent = format.indexOf('%', scan.at);
    if (percent < 0) {
      text += format.slice(scan.at);
      break;
    }
    text += format.slice(scan.at, percent);
    scan.at = percent + 1;
    text += directive(scan);
  }
  if (!scan.reordered && scan.next < args.length) text += extra(args.slice(scan.next));
  return text;
}

interface Scan {
  readonly charge: (characters: number) => void;
  readonly format: string;
  at: number;
  readonly args: readonly Value[];
  /** The index of the next argument. */
  next: number;
  /** Whether the format used an index such as `[3]`: then arguments may stay unused. */
  reordered: boolean;
  good: boolean;
  afterIndex: boolean;
}

function extra(rest: readonly Value[]): string {
  const shown = rest.map((value) => (value === null ? '<nil>' : `${goTypeOf(value)}=${verbatim(value)}`));
  return `%!(EXTRA ${shown.join(', ')})`;
}

const FLAGS: Readonly<Record<string, 'sharp' | 'zero' | 'plus' | 'minus' | 'space'>> = {
  '#': 'sharp',
  '0': 'zero',
  '+': 'plus',
  '-': 'minus',
  ' ': 'space',
};

type Flags = { -readonly [Name in keyof Omit<Directive, 'verb'>]: Directive[Name] };

function directive(scan: Scan): string {
  const { verb: _verb, ...none } = PLAIN;
  const flags: Flags = { ...none };
  for (
    let flag = FLAGS[scan.format[scan.at] ?? ''];
    flag !== undefined;
    flag = FLAGS[scan.format[scan.at] ?? '']
  ) {
    flags[flag] = true;
    scan.at++;
  }
  scan.afterIndex = false;
  readIndex(scan);
  let text = readWidth(scan, flags);
  text += readPrecision(scan, flags);
  if (!scan.afterIndex) readIndex(scan);
  if (scan.at >= scan.format.length) return `${text}%!(NOVERB)`;
  const verb = String.fromCodePoint(scan.format.codePointAt(scan.at)!);
  scan.at += verb.length;
  if (verb === '%') return `${text}%`;
  if (!scan.good) return `${text}%!${verb}(BADINDEX)`;
  if (scan.next >= scan.args.length) return `${text}%!${verb}(MISSING)`;
  const longest = Math.max(flags.width ?? 0, flags.precision ?? 0);
  if (longest > WIDE) scan.charge(longest);
  const argument = scan.args[scan.next++]!;
  if (verb !== 'v' && verb !== 'w') return text + formatArgument(argument, { ...flags, verb });
  const asValue = { ...flags, sharpV: flags.sharp, sharp: false, plusV: flags.plus, plus: false, verb };
  return text + formatArgument(argument, asValue);
}

function readWidth(scan: Scan, flags: Flags): string {
  if (scan.format[scan.at] === '*') {
    scan.at++;
    const width = integerArgument(scan);
    scan.afterIndex = false;
    if (width === undefined) return '%!(BADWIDTH)';
    flags.width = Math.abs(width);
    if (width < 0) {
      flags.minus = true;
      flags.zero = false;
    }
    return '';
  }
  flags.width = readNumber(scan);
  if (scan.afterIndex && flags.width !== undefined) scan.good = false;
  return '';
}

function readPrecision(scan: Scan, flags: Flags): string {
  if (scan.format[scan.at] !== '.' || scan.at + 1 >= scan.format.length) return '';
  scan.at++;
  if (scan.afterIndex) scan.good = false;
  readIndex(scan);
  if (scan.format[scan.at] !== '*') {
    flags.precision = readNumber(scan) ?? 0;
    return '';
  }
  scan.at++;
  const precision = integerArgument(scan);
  scan.afterIndex = false;
  if (precision === undefined || precision < 0) return '%!(BADPREC)';
  flags.precision = precision;
  return '';
}

function readNumber(scan: Scan): number | undefined {
  const digits = /^[0-9]+/.exec(scan.format.slice(scan.at, scan.at + 32))?.[0];
  if (digits === undefined) return undefined;
  if (Number(digits.slice(0, -1)) > MAX_NUMBER) {
    // Go stops processing such a format.
    scan.at = scan.format.length;
    return undefined;
  }
  scan.at += digits.length;
  return Number(digits);
}

function integerArgument(scan: Scan): number | undefined {
  if (scan.next >= scan.args.length) return undefined;
  const value = scan.args[scan.next++]!;
  if (!(value instanceof GoInt)) return undefined;
  const number = Number(value.value);
  return Math.abs(number) > MAX_NUMBER ? undefined : number;
}

/** Reads `[3]`: the number of the next argument, from one. */
function readIndex(scan: Scan): void {
  if (scan.format[scan.at] !== '[') {
    scan.afterIndex = false;
    return;
  }
  scan.reordered = true;
  const end = scan.format.length - scan.at < 3 ? -1 : scan.format.indexOf(']', scan.at + 1);
  const inside = end < 0 ? '' : scan.format.slice(scan.at + 1, end);
  scan.at = end < 0 ? scan.at + 1 : end + 1;
  const isNumber = /^[0-9]+$/.test(inside) && Number(inside) <= MAX_NUMBER;
  scan.afterIndex = isNumber;
  if (isNumber && Number(inside) >= 1 && Number(inside) <= scan.args.length) scan.next = Number(inside) - 1;
  else scan.good = false;
}
