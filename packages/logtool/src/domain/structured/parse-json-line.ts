import { stripSgrText } from '../ansi.ts';

/** Longer lines are not parsed. */
const MAX_CHARS = 1_000_000;

/** Returns the line as an object; undefined if it is not a JSON object. */
export function parseJsonLine(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > MAX_CHARS) return undefined;
  try {
    const value: unknown = JSON.parse(stripSgrText(text).text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
