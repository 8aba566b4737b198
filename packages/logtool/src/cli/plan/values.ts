import { type LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { Setting, Settings } from './settings.ts';

/** A usage error about one value. `next` says what would be right. */
export function badValue(code: string, setting: Setting, why: string, next: string): LogtoolError {
  const value = setting.value ?? '';
  return usageError({
    code,
    what: `bad value of ${setting.written}: ${value === '' ? '(empty)' : sanitizeText(value.slice(0, 200))}`,
    why,
    next,
  });
}

/** `--x`, `--x=true`, `--x=false`; the variables take the same words. */
export function readBoolean(settings: Settings, name: string, otherwise = false): boolean {
  const setting = settings.first(name);
  if (setting === undefined) return otherwise;
  const text = setting.value?.toLowerCase() ?? 'true';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw badValue(
    'bad-boolean',
    setting,
    'it is neither true nor false',
    `write ${setting.written}=true or =false`,
  );
}

/** A whole number from 0 up to 2^53; each way of being wrong has its own code. `example`: one that fits the flag. */
export function readCount(setting: Setting, example = 10): number {
  const text = setting.value ?? '';
  const next = `write a whole number, such as ${setting.written.includes(' ') ? '' : `${setting.written}=`}${example}`;
  if (/^-\d/.test(text)) {
    // kubectl and stern write all records so.
    const all = setting.written.startsWith('--tail') ? '; for all records: --all' : '';
    throw badValue('count-negative', setting, 'a count cannot be negative', `${next}${all}`);
  }
  if (!/^\+?\d+$/.test(text)) throw badValue('count-not-integer', setting, 'it is not a whole number', next);
  const digits = text.replace(/^\+?0*(?=\d)/, '');
  if (digits.length > 16 || BigInt(digits) > 2n ** 53n) {
    throw badValue('count-too-large', setting, 'it is above 2^53', 'use --all for everything there is');
  }
  return Number(digits);
}

export function readOptionalCount(settings: Settings, name: string): number | undefined {
  const setting = settings.first(name);
  return setting === undefined ? undefined : readCount(setting);
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

/** A number of bytes: `0`, `500000`, `64M`, `1GiB`. */
export function readBytes(setting: Setting): number {
  const match = /^(\d+(?:\.\d+)?) ?([kmgt]?i?)b?$/i.exec(setting.value ?? '');
  const unit = UNITS[match?.[2]?.toLowerCase() ?? ''];
  const bytes = match === null || unit === undefined ? Number.NaN : Math.floor(Number(match[1]) * unit);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw badValue('bad-size', setting, 'it is not a size in bytes', 'write a size such as 64MiB, 1GiB or 0');
}

/** One of some words, in any letter case. */
export function readChoice<T extends string>(setting: Setting, choices: readonly T[]): T {
  const text = setting.value?.toLowerCase() ?? '';
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  const near = nearNames(text, choices, 1)[0];
  throw badValue(
    'bad-choice',
    setting,
    `it must be one of ${choices.join(', ')}`,
    near === undefined ? `write ${setting.written}=${choices[0]}` : `did you mean ${near}?`,
  );
}

/** Without this, `--zone="$ZONE"` with an unset variable would quietly keep everything. */
function partsOf(setting: Setting): readonly string[] {
  const parts = (setting.value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length > 0) return parts;
  throw badValue(
    'empty-value',
    setting,
    'the list is empty',
    `write ${setting.written}=VALUE, or leave it out`,
  );
}

/** Comma-separated values of all uses of a flag; each use must have one, and empty parts between commas are left out. */
export function readList(settings: Settings, name: string): readonly string[] {
  const uses: readonly Setting[] = settings.allGiven(name);
  const fallback = settings.fallback(name);
  const sources = uses.length > 0 || fallback === undefined ? uses : [fallback];
  return [...new Set(sources.flatMap((setting) => partsOf(setting)))];
}

/** A text that must not be empty where it is given. */
export function readText(settings: Settings, name: string, wanted: string): string | undefined {
  const setting = settings.first(name);
  if (setting === undefined) return undefined;
  if (setting.value === undefined || setting.value.trim() === '') {
    throw badValue('empty-value', setting, 'the value is empty', `write ${setting.written}=${wanted}`);
  }
  return setting.value;
}
