import fc from 'fast-check';
import { codePoint } from './code-point.ts';

/**
 * Texts that terminals obey, that reorder text, that are names of every object's properties, and that break
 * encodings.
 */
const PIECES = [
  '\x1b[2J',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[38;5;1m',
  '\x1b]0;title\x07',
  '\x1b]52;c;aGk=\x1b\\',
  '\x1bPq\x1b\\',
  '\x1b[6n',
  '\x1b',
  '\x9b2J',
  '\x9d0;t\x9c',
  '\x00',
  '\x07',
  '\x08',
  '\x7f',
  '\x85',
  '\r',
  '\n',
  '\t',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\ufffd',
  '\ud800',
  '\udfff',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'é',
  '漢',
  '👩‍🚀',
  '%s',
  '\\',
  '"',
  "'",
  'a',
  '0',
  '-',
  ' ',
] as const;

/** Texts that attack code which shows, stores or looks them up. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((all) => all.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 20 }) },
);

/** The same as bytes, some of them invalid UTF-8. */
export const hostileBytes = fc.oneof(
  { weight: 3, arbitrary: hostileText.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: hostileText.map((text) => Buffer.from(text, 'latin1')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
);
