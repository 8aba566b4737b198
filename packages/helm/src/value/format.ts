import { byteLength, GoBytes, textToBytes } from './bytes.ts';
import { type FloatVerb, formatFloat } from './float.ts';
import { sortedEntries } from './order.ts';
import { canBackquote, isPrintable, quote, quoteRune } from './quote.ts';
import { elementTypeOf, goTypeOf, isNilMap } from './type.ts';
import { GoInt, type Value, type ValueMap } from './value.ts';

/** One `%...` in a format. */
export interface Directive {
  readonly verb: string;
  readonly sharp: boolean;
  readonly zero: boolean;
  readonly plus: boolean;
  readonly minus: boolean;
  readonly space: boolean;
  /** `%#v` and `%+v`. */
  readonly sharpV: boolean;
  readonly plusV: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** `%v` without flags, width or precision. */
export const PLAIN: Directive = {
  verb: 'v',
  sharp: false,
  zero: false,
  plus: false,
  minus: false,
  space: false,
  sharpV: false,
  plusV: false,
  width: undefined,
  precision: undefined,
};

/** Formats a value with `%v`, like `{{ . }}`. */
export function verbatim(value: Value): string {
  return typeof value === 'string' ? value : formatArgument(value, PLAIN);
}

/** Formats one argument of Sprintf. */
export function formatArgument(value: Value, directive: Directive): string {
  if (value === null) {
    return directive.verb === 'T' || directive.verb === 'v'
      ? pad('<nil>', directive)
      : badVerb(null, directive);
  }
  if (directive.verb === 'T') return formatText(goTypeOf(value), { ...directive, verb: 's' });
  // `%w` only wraps errors.
  if (directive.verb === 'w' && typeof value === 'object' && !(value instanceof GoInt))
    return badVerb(value, directive);
  return formatValue(value, directive, 0);
}

function badVerb(value: Value, directive: Directive): string {
  if (value === null) return `%!${directive.verb}(<nil>)`;
  return `%!${directive.verb}(${goTypeOf(value)}=${formatValue(value, { ...directive, verb: 'v' }, 0)})`;
}

function formatValue(value: Value, directive: Directive, depth: number): string {
  switch (typeof value) {
    case 'boolean':
      return directive.verb === 't' || directive.verb === 'v'
        ? pad(String(value), directive)
        : badVerb(value, directive);
    case 'string':
      return formatString(value, directive);
    case 'number':
      return formatNumber(value, directive);
  }
  if (value === null) return directive.sharpV ? 'interface {}(nil)' : '<nil>';
  if (value instanceof GoInt) return formatInteger(value, directive);
  if (Array.isArray(value)) return formatList(value, directive, depth);
  if (value instanceof Map) return formatMap(value, directive, depth);
  if (value instanceof GoBytes) return formatBytes(value, directive);
  const inner = value.underlying?.();
  if (inner instanceof Map) return formatMap(inner, directive, depth, value.goType);
  if (Array.isArray(inner)) return formatList(inner, directive, depth, value.goType);
  // A named number prints as a number for verbs that only accept numbers.
  if (inner instanceof GoInt && /[bcdoOU]/.test(directive.verb)) return formatInteger(inner, directive);
  return formatString(value.toString(), { ...directive, sharpV: false });
}

function formatList(list: Value[], directive: Directive, depth: number, type = goTypeOf(list)): string {
  const items = list.map((item) => formatElement(item, directive, depth));
  if (directive.sharpV) return `${type}{${items.join(', ')}}`;
  return `[${items.join(' ')}]`;
}

function formatMap(map: ValueMap, directive: Directive, depth: number, type = goTypeOf(map)): string {
  if (directive.sharpV && isNilMap(map)) return `${type}(nil)`;
  const entries = sortedEntries(map).map(
    ([key, value]) =>
      `${formatValue(key, directive, depth + 1)}:${formatElement(value, directive, depth, elementTypeOf(map))}`,
  );
  return directive.sharpV ? `${type}{${entries.join(', ')}}` : `map[${entries.join(' ')}]`;
}

function formatElement(value: Value, directive: Directive, depth: number, type = 'interface {}'): string {
  if (value === null) return directive.sharpV ? `${type}(nil)` : '<nil>';
  return formatValue(value, directive, depth + 1);
}

function formatString(text: string, directive: Directive): string {
  switch (directive.verb) {
    case 'v':
      return directive.sharpV ? formatQuoted(text, directive) : formatText(text, directive);
    case 's':
      return formatText(text, directive);
    case 'q':
      return formatQuoted(text, directive);
    case 'x':
    case 'X':
      return formatHex(textToBytes(text), directive);
    default:
      return badVerb(text, directive);
  }
}

function truncate(text: string, precision: number | undefined): string {
  if (precision === undefined || text.length <= precision) return text;
  return [...text].slice(0, precision).join('');
}

function formatText(text: string, directive: Directive): string {
  return pad(truncate(text, directive.precision), directive);
}

function formatQuoted(text: string, directive: Directive): string {
  const shown = truncate(text, directive.precision);
  if (directive.sharp && canBackquote(shown)) return pad(`\`${shown}\``, directive);
  return pad(quote(shown, directive.plus), directive);
}

function formatHex(bytes: Uint8Array, directive: Directive): string {
  const upper = directive.verb === 'X';
  const shown = directive.precision === undefined ? bytes : bytes.subarray(0, directive.precision);
  const prefix = directive.sharp ? (upper ? '0X' : '0x') : '';
  const pairs = Array.from(shown, (byte) => {
    const pair = byte.toString(16).padStart(2, '0');
    return upper ? pair.toUpperCase() : pair;
  });
  if (pairs.length === 0) return pad('', directive);
  return pad(
    directive.space ? pairs.map((pair) => prefix + pair).join(' ') : prefix + pairs.join(''),
    directive,
  );
}

function formatBytes(value: GoBytes, directive: Directive): string {
  if (directive.verb === 's') return formatText(value.underlying() as string, directive);
  if (directive.verb === 'q') return formatQuoted(value.underlying() as string, directive);
  if (directive.verb === 'x' || directive.verb === 'X') return formatHex(value.bytes, directive);
  const numbers = Array.from(value.bytes, (byte) => formatInteger(new GoInt(byte, 'uint8'), directive));
  return directive.sharpV ? `[]byte{${numbers.join(', ')}}` : `[${numbers.join(' ')}]`;
}

const FLOAT_DEFAULTS: Readonly<Record<string, readonly [FloatVerb, number]>> = {
  v: ['g', -1],
  g: ['g', -1],
  G: ['G', -1],
  b: ['b', -1],
  x: ['x', -1],
  X: ['X', -1],
  f: ['f', 6],
  F: ['f', 6],
  e: ['e', 6],
  E: ['E', 6],
};

function formatNumber(value: number, directive: Directive): string {
  const defaults = FLOAT_DEFAULTS[directive.verb];
  if (defaults === undefined) return badVerb(value, directive);
  const precision = directive.precision ?? defaults[1];
  const raw = formatFloat(value, defaults[0], precision);
  const sign = signOf(raw[0] === '-', directive);
  const digits = raw.replace(/^[-+]/, '');
  if (digits === 'Inf' || digits === 'NaN') {
    const shown = digits === 'Inf' && sign === '' ? '+' : sign;
    return pad(shown + digits, { ...directive, zero: false });
  }
  const isWhole = directive.sharp && directive.verb !== 'b';
  const text = isWhole ? withAllDigits(digits, directive, precision) : digits;
  if (sign === '' || !isZeroPadded(directive)) return pad(sign + text, directive);
  return sign + text.padStart(directive.width - 1, '0');
}

function signOf(isNegative: boolean, { plus, space }: Directive): string {
  if (isNegative) return '-';
  if (plus) return '+';
  return space ? ' ' : '';
}

function isZeroPadded(directive: Directive): directive is Directive & { readonly width: number } {
  return directive.zero && !directive.minus && directive.width !== undefined;
}

/** Formats `%#g`: keeps the point and trailing zeros. */
function withAllDigits(digits: string, directive: Directive, precision: number): string {
  const isHex = directive.verb === 'x' || directive.verb === 'X';
  const [, mantissa, tail] = (isHex ? /^([^p]*)(p.*)?$/i : /^([^e]*)(e.*)?$/i).exec(digits)!;
  let shown = mantissa!;
  let missing = 0;
  if (/[vgGx]/.test(directive.verb)) {
    missing = precision === -1 ? 6 : precision;
    missing -= shown.replace('.', '').replace(/^0+/, '').length;
    if (shown === '0') missing--;
  }
  if (!shown.includes('.')) shown += '.';
  return shown + '0'.repeat(Math.max(missing, 0)) + (tail ?? '');
}

const BASES: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

function formatInteger(int: GoInt, directive: Directive): string {
  switch (directive.verb) {
    case 'c':
      return pad(character(int.value), directive);
    case 'q': {
      const code = int.value > 0x10ffffn ? 0xfffd : Number(BigInt.asIntN(32, int.value));
      return pad(quoteRune(code, directive.plus), directive);
    }
    case 'U':
      return formatUnicode(int, directive);
  }
  // `%#v` prints an unsigned integer in hexadecimal.
  const isHexValue = directive.verb === 'v' && directive.sharpV && int.kind.startsWith('u');
  const base = isHexValue ? 16 : BASES[directive.verb];
  if (base === undefined) return badVerb(int, directive);
  if (directive.precision === 0 && int.value === 0n) return ' '.repeat(directive.width ?? 0);
  return formatInBase(int.value, base, { ...directive, sharp: directive.sharp || isHexValue });
}

function formatInBase(value: bigint, base: number, directive: Directive): string {
  const { verb } = directive;
  const sign = signOf(value < 0n, directive);
  const bare = (value < 0n ? -value : value).toString(base);
  const minDigits = directive.precision ?? (isZeroPadded(directive) ? directive.width - sign.length : 0);
  const digits = (verb === 'X' ? bare.toUpperCase() : bare).padStart(minDigits, '0');
  const prefixed = directive.sharp ? withPrefix(digits, base, verb) : digits;
  return pad(sign + (verb === 'O' ? `0o${prefixed}` : prefixed), { ...directive, zero: false });
}

function withPrefix(digits: string, base: number, verb: string): string {
  if (base === 2) return `0b${digits}`;
  if (base === 16) return `${verb === 'X' ? '0X' : '0x'}${digits}`;
  return base === 8 && !digits.startsWith('0') ? `0${digits}` : digits;
}

function character(code: bigint): string {
  const valid = code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
  return valid ? String.fromCodePoint(Number(code)) : '\ufffd';
}

function formatUnicode(int: GoInt, directive: Directive): string {
  const digits = BigInt.asUintN(64, int.value).toString(16).toUpperCase();
  const code = `U+${digits.padStart(Math.max(4, directive.precision ?? 0), '0')}`;
  const shown = character(int.value);
  const isCode = int.value >= 0n && int.value <= 0x10ffffn;
  const named = directive.sharp && isCode && isPrintable(shown) ? `${code} '${shown}'` : code;
  return pad(named, { ...directive, zero: false });
}

function pad(text: string, { width, minus, zero }: Directive): string {
  if (width === undefined || width <= text.length / 2) return text;
  const missing = width - (byteLength(text) === text.length ? text.length : [...text].length);
  if (missing <= 0) return text;
  if (minus) return text + ' '.repeat(missing);
  return (zero ? '0' : ' ').repeat(missing) + text;
}
