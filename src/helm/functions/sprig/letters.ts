/** Go's unicode.IsSpace. */
export function isSpace(character: string): boolean {
  return /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character);
}

const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const AROUND = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');

/** Go's strings.TrimSpace. */
export function trimSpace(text: string): string {
  return text.replace(AROUND, '');
}

/** Go's strings.Title: the first letter of each word, where anything but a letter, digit or `_` ends a word. */
export function titled(text: string): string {
  let previous = ' ';
  let titled = '';
  for (const character of text) {
    titled += isSeparator(previous) ? toTitle(character) : character;
    previous = character;
  }
  return titled;
}

function isSeparator(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0x7f) return !/[\w]/.test(character);
  if (/[\p{L}\p{Nd}]/u.test(character)) return false;
  return isSpace(character);
}

function toTitle(character: string): string {
  const upper = character.toUpperCase();
  return [...upper].length === 1 ? upper : character;
}

/** The first letter of each word in small: words are what white space parts. */
export function untitled(text: string): string {
  let isStart = true;
  let result = '';
  for (const character of text) {
    if (isSpace(character)) isStart = true;
    else if (isStart) {
      const lower = character.toLowerCase();
      result += [...lower].length === 1 ? lower : character;
      isStart = false;
      continue;
    }
    result += character;
  }
  return result;
}
