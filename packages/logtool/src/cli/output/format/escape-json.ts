import { INVISIBLE, INVISIBLE_PAIR } from '@logtool/kube/src/values/invisible.ts';

/**
 * Characters that JSON leaves unescaped though a terminal must not get them: controls from DEL on, and
 * invisible characters.
 */
const UNSAFE = String.raw`[\x7f-\x9f${INVISIBLE}]|${INVISIBLE_PAIR}`;
const FIRST_UNSAFE = new RegExp(UNSAFE);
const ALL_UNSAFE = new RegExp(UNSAFE, 'g');

/** Whether JSON with this text in it needs `escapeJson`. */
export function isUnsafeJson(text: string): boolean {
  return FIRST_UNSAFE.test(text);
}

/** The same JSON with these characters as `\u` escapes. */
export function escapeJson(json: string): string {
  return json.replace(ALL_UNSAFE, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
