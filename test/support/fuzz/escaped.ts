import { expect } from 'vitest';
import { SEED } from './seed.ts';

/** Only color and weight. */
const COLOUR = /\x1b\[[0-9;:]*m/g;
/** The sequence that erases the progress line. */
const OWN_ERASING = /\r\x1b\[2K/g;
/**
 * Control characters except newline and tab, C1 controls, and everything that reorders text or ends a line.
 */
const DANGEROUS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Fails if a terminal would obey any of it, except color. */
export function expectEscaped(text: string, about: unknown): void {
  const rest = text.replace(OWN_ERASING, '').replace(COLOUR, '');
  const match = DANGEROUS.exec(rest);
  if (match === null) return;
  const around = rest.slice(Math.max(0, match.index - 40), match.index + 40);
  expect.fail(
    `LOGTOOL_SEED=${SEED}: a terminal gets ${JSON.stringify(around)} from ${JSON.stringify(about)}`,
  );
}

/** Fails if a terminal would obey any of it, including color. */
export function expectPlain(text: string, about: unknown): void {
  expectEscaped(text, about);
  if (text.replace(OWN_ERASING, '').includes('\x1b'))
    expect.fail(`LOGTOOL_SEED=${SEED}: color in ${JSON.stringify(text)} from ${JSON.stringify(about)}`);
}

const PROTOTYPES = [Object, Array, Map, String, Function].map((maker) => {
  const prototype: object = maker.prototype;
  return { prototype, names: Reflect.ownKeys(prototype).length, above: Object.getPrototypeOf(prototype) };
});

/** Fails if anything was added to, or removed from, the prototypes of all objects. */
export function expectCleanPrototypes(about: unknown): void {
  for (const { prototype, names, above } of PROTOTYPES) {
    if (Reflect.ownKeys(prototype).length === names && Object.getPrototypeOf(prototype) === above) continue;
    expect.fail(`LOGTOOL_SEED=${SEED}: a prototype was changed by ${JSON.stringify(about)}`);
  }
}
