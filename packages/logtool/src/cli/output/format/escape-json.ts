import { INVISIBLE, INVISIBLE_PAIR } from '@logtool/kube/src/values/invisible.ts';

/**
 * Characters that JSON leaves unescaped but that must not reach a terminal: control characters from DEL on,
 * and invisible characters.
 */
const UNSAFE = String.raw`[\x7f-\x9f${INVISIBLE}]|${INVISIBLE_PAIR}`;
const FIRST_UNSAFE = new RegExp(UNSAFE);
const ALL_UNSAFE = new RegExp(UNSAFE, 'g');

/** Whether JSON that contains this text needs `escapeJson`. */
export function isUnsafeJson(text: string): boolean {
  return FIRST_UNSAFE.test(text);
}

/** Escapes these characters as `\u` sequences in JSON. */
export function escapeJson(json: string): string {
  return json.replace(ALL_UNSAFE, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
