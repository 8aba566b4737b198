import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { badValue } from '../messages/errors.ts';
import type { Setting } from './setting.ts';

/** Reads `--x`, `--x=true`, `--x=false`; variables take the same values. */
export function readBoolean(setting: Setting): boolean {
  const text = setting.value?.toLowerCase() ?? 'true';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw badValue('bad-boolean', setting, {});
}

/**
 * Reads a whole number from 0 up to 2^53; each kind of mistake has its own code. `example`: a number that
 * fits the flag.
 */
export function readCount(setting: Setting, example = 10): number {
  const text = setting.value ?? '';
  if (/^-\d/.test(text)) throw badValue('count-negative', setting, { example });
  if (!/^\+?\d+$/.test(text)) throw badValue('count-not-integer', setting, { example });
  const digits = text.replace(/^\+?0*(?=\d)/, '');
  if (digits.length > 16 || BigInt(digits) > 2n ** 53n) {
    throw badValue('count-too-large', setting, {});
  }
  return Number(digits);
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  ki: 2 ** 10,
  m: 1e6,
  mi: 2 ** 20,
  g: 1e9,
  gi: 2 ** 30,
  t: 1e12,
  ti: 2 ** 40,
};

/** Reads a number of bytes: `0`, `500000`, `64M`, `1GiB`. */
export function readBytes(setting: Setting): number {
  const match = /^(\d+(?:\.\d+)?) ?([kmgt]?i?)b?$/i.exec(setting.value ?? '');
  const unit = UNITS[match?.[2]?.toLowerCase() ?? ''];
  const bytes = match === null || unit === undefined ? Number.NaN : Math.floor(Number(match[1]) * unit);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw badValue('bad-size', setting, {});
}

/** Reads one of several choices, ignoring case; `aliases`: synonyms of choices. */
export function readChoice<T extends string>(
  setting: Setting,
  choices: readonly T[],
  aliases: Readonly<Record<string, string>> = {},
  list?: string,
): T {
  const typed = setting.value?.toLowerCase() ?? '';
  const name = (Object.hasOwn(aliases, typed) ? aliases[typed] : undefined) ?? typed;
  const choice = choices.find((each) => each.toLowerCase() === name);
  if (choice !== undefined) return choice;
  throw badValue('bad-choice', setting, { choices, near: nearNames(name, choices, 1)[0], list });
}

/**
 * Splits a list, which must not be empty: otherwise `--zone="$ZONE"` with an unset variable would silently
 * keep everything.
 */
export function splitList(setting: Setting): readonly string[] {
  const values = (setting.value ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  if (values.length > 0) return values;
  throw badValue('empty-list', setting, {});
}

/** Reads a text that must not be empty. */
export function readText(setting: Setting, example: string): string {
  if (setting.value !== undefined && setting.value.trim() !== '') return setting.value;
  throw badValue('empty-value', setting, { example });
}
