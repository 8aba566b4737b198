/** The characters that samples of secrets are made of. */
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const DIGITS = '0123456789';
export const ALNUM = LOWER + UPPER + DIGITS;
export const URL_SAFE = `${ALNUM}_-`;
export const BASE32 = `${UPPER}234567`;
