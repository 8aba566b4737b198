import { asRecord } from '@logtool/kube/src/values/as-record.ts';

/** Returns the objects of a JSON list, or an empty list for anything else. */
export function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(asRecord).filter((entry) => entry !== undefined) : [];
}

/** Returns a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a whole number of at least zero. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
