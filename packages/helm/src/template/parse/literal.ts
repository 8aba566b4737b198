import { quote } from '../../value/quote.ts';
import { unquote } from '../../value/unquote.ts';
import type { NumberNode } from './node.ts';

type Numbers = Pick<NumberNode, 'int' | 'uint' | 'float'>;

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

/**
 * Parses a number literal as int, unsigned int and float, each if it fits without loss. Returns an error message for an
 * invalid one.
 */
export function readNumber(literal: string, kind: 'character' | 'complex' | 'number'): Numbers | string {
  if (kind === 'character') return readCharacter(literal);
  if (kind === 'complex') return `complex numbers are not supported: ${quote(literal)}`;
  kind satisfies 'number';
  const integer = readInteger(literal);
  if (integer !== undefined) {
    // A sign makes a literal signed, except for zero.
    const isSigned = /^[+-]/.test(literal) && integer !== 0n;
    const int = within(integer, MIN_INT, MAX_INT);
    const uint = isSigned ? undefined : within(integer, 0n, MAX_UINT);
    if (int !== undefined || uint !== undefined) return { int, uint, float: Number(integer) };
  }
  const float = readFloat(literal);
  if (float === undefined) return `illegal number syntax: ${quote(literal)}`;
  if (!/[.eEpP]/.test(literal)) return `integer overflow: ${quote(literal)}`;
  if (!Number.isInteger(float)) return { int: undefined, uint: undefined, float };
  const whole = BigInt(float);
  return { int: within(whole, MIN_INT, MAX_INT), uint: within(whole, 0n, MAX_UINT), float };
}

function within(value: bigint, min: bigint, max: bigint): bigint | undefined {
  return value >= min && value <= max ? value : undefined;
}

function readCharacter(literal: string): Numbers | string {
  const text = unquote(literal);
  if (text === undefined) {
    return literal.length > 3 && !literal.includes('\\')
      ? `malformed character constant: ${literal}`
      : 'invalid syntax';
  }
  const code = text.codePointAt(0)!;
  return { int: BigInt(code), uint: BigInt(code), float: code };
}

/** Go's strconv.ParseInt with base 0: 0x, 0o, 0b, a leading 0 for octal, and underscores between digits. */
export function readInteger(literal: string): bigint | undefined {
  const match =
    /^([+-]?)(0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|0(?:_?[0-7])*|[1-9](?:_?[0-9])*)$/.exec(
      literal,
    );
  if (match === null) return undefined;
  let digits = match[2]!.replaceAll('_', '');
  if (/^0[0-7]/.test(digits)) digits = `0o${digits.slice(1)}`;
  const size = BigInt(digits);
  return match[1] === '-' ? -size : size;
}

/** Go's strconv.ParseFloat for template literals; undefined if out of range. */
function readFloat(literal: string): number | undefined {
  if (!separatesDigits(literal)) return undefined;
  const text = literal.replaceAll('_', '');
  const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/.exec(text);
  if (hex !== null) {
    const digits = hex[2]! + hex[3]!;
    if (digits === '') return undefined;
    const size = Number(BigInt(`0x${digits}`)) * 2 ** (Number(hex[4]) - 4 * hex[3]!.length);
    return Number.isFinite(size) ? (hex[1] === '-' ? -size : size) : undefined;
  }
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Whether each underscore is between two digits; the prefix of a base counts as a digit. */
function separatesDigits(literal: string): boolean {
  const digits = literal.replace(/^[+-]/, '');
  return /^0[xX]/.test(digits)
    ? !/(?<![\da-fA-F])_|_(?![\da-fA-F])/.test(`0${digits.slice(2)}`)
    : !/(?<!\d)_|_(?!\d)/.test(digits);
}
