import type { Random } from './random.ts';

/** The characters that samples of secrets are made of. */
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const DIGITS = '0123456789';
export const ALNUM = LOWER + UPPER + DIGITS;
export const URL_SAFE = `${ALNUM}_-`;
export const BASE32 = `${UPPER}234567`;

/** Returns a text of that length with a letter and a digit. */
export function mixedText(random: Random, length: number): string {
  return `${random.text(LOWER, 1)}${random.text(DIGITS, 1)}${random.text(ALNUM, length - 2)}`;
}
