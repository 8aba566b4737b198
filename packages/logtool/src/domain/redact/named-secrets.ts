import type { SecretSpan } from './secret-kinds.ts';

/** Names whose values are always secrets. */
const STRONG = [
  'pass(?:word|wd|phrase|code)s?',
  'pwd',
  'pgpass',
  'secret[_.-]?(?:access[_.-]?)?key',
  'secret[_.-]?(?:token|id|value)',
  '(?:client|app|consumer|shared|api|oauth|webhook|signing|jwt|session|cookie|auth|account)[_.-]?secret',
  '(?:api|auth|access|refresh|id|bearer|session|csrf|xsrf|security|personal|bot|deploy|service|registration|reset|verification|device|vault|user|private|jwt|admin)[_.-]?token',
  'api[_.-]?key',
  '(?:access|account|application|client|app|auth|encryption|decryption|signing|master|private|subscription|shared[_.-]?access|storage|license|service|admin|root|webhook|hmac|aes|ssh|write|integration|ingest|routing)[_.-]?key(?:[_.-]?data)?',
  'credentials?[_.-]?(?:value|string)',
  '_auth(?:token)?',
  'x-api-key',
  'x-vault-token',
  'otp(?:[_.-]?code)?',
].join('|');
/** Names that ordinary values have too: only a value that looks like a secret is masked. */
const WEAK = 'pw|secret|tok(?:en)?|creds?|credentials?|pass|pin';
/** `csrfToken`, `dbpass`: the same names at the end of another. */
const INSIDE = '(?<=[a-z0-9])(?:secret|tok(?:en)?|credentials?|creds|pass|pw)';
/** Names that only end like one of those. */
const OTHER_NAME =
  /(?:^|[^a-z]|\\[a-z])(?:(?:en)?compass|by-?pass|tres-?pass|sur-?pass|(?:over|under|multi|first|last|second|two|single|render|sub|each|per|next|test|tests|build|high|low|band)[_-]?pass|betoken|foretoken|tiktok|nosecret)$/i;
/** What may follow such a name before its value: `PASSWORD_1`, `token2`, `passwordBase64`. */
const SUFFIX = String.raw`(?:[_.-]?(?:\d{1,3}|value|base|base64|b64|plain|raw|hash|prod|production|staging|dev|test|old|new|current|previous|primary|secondary))?`;
/** What may separate a name and its value: `=`, `: `, `=>`, `":"`, `\":\"`. */
const SEPARATOR = String.raw`(?:\\{0,3}["'\`])?\]?\s{0,4}(?::=|=>|=|:)\s{0,4}`;
const NAMED = new RegExp(`(?:(${STRONG})|(?<![A-Za-z])(${WEAK})|(${INSIDE}))${SUFFIX}${SEPARATOR}`, 'gi');
/** Names that only begin like one of the above. */
const PAGING =
  /(?:page|next|continue|continuation|sync|cursor|resume|start|last|max|min|prompt|completion|input|output|total|cached|unexpected|invalid|eos|bos|pad|stop|special|per)[_.-]?tok(?:en)?$/i;

/** The value after a name: quoted in one of four ways, or up to a delimiter. */
const QUOTED = /(\\{1,3}["']|["'`])/y;
const UNQUOTED = /[^\s"'`;&<>]{1,256}/y;
/** The rest of a longer value. */
const REST = /[^\s"'`;&<>]*/y;

/**
 * Where the word before an escape ends, as in `pin=29\\nnext`. What the escape stands for is judged in the decoded text
 * (`decodedTexts`).
 */
const ESCAPED = /\\+[abefnrtuvx0"']|%[0-9A-Fa-f]{2}|\x1b/;

/** Texts that stand for a hidden or unknown value. */
const PLACEHOLDER =
  /^(?:[*\u2022.x-]{2,}|\*|<.*|\[.*|\(.*|\$\{.*|\$\(.*|\$[A-Z_]+|%[a-z].{0,2}|\{\{.*|\{\w*\}?|null|nil|none|undefined|true|false|yes|no|on|off|n\/a|empty|hidden|masked|redacted|removed|filtered|required|missing|optional|invalid|incorrect|wrong|expired|revoked|valid|set|unset|changed|ok|failed|error|unknown|string|text|secret|password|token|default|must|is|was|not|cannot|has|the|for|and|too|please|enter|this|that|your|file|env|vault|changeit)$/i;

/** Finds values whose names mark them as secrets: `password=...`, `"token": "..."`, `DB_PASSWORD: ...`. */
export function spansOfNames(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const at = match.index + match[0].length;
    const value = readValue(text, at);
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    if (value !== undefined && isSecret(text.slice(0, match.index + name.length), match, value))
      spans.push({ start: value.start, end: fullEnd(text, value), kind: kindOf(match[1] ?? name) });
    // A value may itself contain names (a query, JSON in a string) unless it is masked as a whole.
    NAMED.lastIndex = Math.max(at, spans.at(-1)?.end ?? 0);
  }
  return spans;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
  /** The beginning of what follows on the line. */
  readonly rest: string;
}

function readValue(text: string, from: number): Value | undefined {
  QUOTED.lastIndex = from;
  const quote = QUOTED.exec(text)?.[1];
  if (quote !== undefined) return quotedValue(text, from + quote.length, quote);
  UNQUOTED.lastIndex = from;
  const found = UNQUOTED.exec(text)?.[0];
  if (found === undefined) return undefined;
  const value = found.replace(/,[\w.-]{1,64}[=:].*$|[)\]},.:]{1,8}$/s, '').replace(/[)\]},]{1,8}$/, '');
  return valueAt(text, from, from + value.length, false);
}

/**
 * Extends a long value to its end. The decision reads only its beginning, and consecutive names share what follows
 * them.
 */
function fullEnd(text: string, { start, end, isQuoted }: Value): number {
  if (isQuoted || end - start < 250) return end;
  REST.lastIndex = end;
  return end + (REST.exec(text)?.[0].length ?? 0);
}

/** Reads up to the same quote; without one up to the end of the line, since a line may be truncated. */
function quotedValue(text: string, start: number, quote: string): Value {
  let end = text.indexOf(quote, start);
  while (end !== -1 && quote.length === 1 && isEscaped(text, start, end)) end = text.indexOf(quote, end + 1);
  return valueAt(text, start, end === -1 ? text.length : end, true);
}

function isEscaped(text: string, start: number, at: number): boolean {
  let slashes = 0;
  while (at - slashes > start && text[at - slashes - 1] === '\\') slashes++;
  return slashes % 2 === 1;
}

function valueAt(text: string, start: number, end: number, isQuoted: boolean): Value {
  return { start, end, text: text.slice(start, end), isQuoted, rest: text.slice(end, end + 32) };
}

function isSecret(head: string, match: RegExpExecArray, value: Value): boolean {
  const { text } = value;
  if (text === '' || PLACEHOLDER.test(text.slice(0, 64))) return false;
  if (PAGING.test(head.slice(-48))) return false;
  if (match[3] !== undefined && OTHER_NAME.test(head.slice(-48))) return false;
  const [beginning = ''] = text.replaceAll('\\/', '/').split(ESCAPED, 1);
  if (isWorkingFolder(head.slice(-48), beginning)) return false;
  const isAssigned = value.isQuoted || !/:\s{1,4}$/.test(match[0]);
  if (match[1] !== undefined) return isAssigned || !isProse(value);
  // In a longer name without a capital, as in `footoken: abc1234`, the rest of the line is prose more often than not.
  if (match[3] !== undefined && !isAssigned && !/^[A-Z]/.test(match[3])) return false;
  return isWeakSecret(beginning, isAssigned);
}

const SHELL_FOLDER =
  /^\/(?:app|bin|build|data|etc|home|mnt|opt|root|run|src|srv|tmp|usr|var|work|workspace)(?:\/[\w.-]*)*$/;

/** Whether it is the folder in which a shell works: `PWD=/home/app`, `"pwd":"/srv"`. POSIX, 8.3. */
function isWorkingFolder(head: string, text: string): boolean {
  const name = /(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt]))(?:old)?pwd$/i.exec(head)?.[0];
  if (name === undefined) return false;
  if (/^(?:OLD)?PWD$/.test(name) && /^(?:~|\/|[A-Za-z]:\\)[\w./\\@ -]*$/.test(text)) return true;
  return SHELL_FOLDER.test(text);
}

/** Whether a sentence follows `password: `: two common words in a row. */
function isProse({ text, rest }: Value): boolean {
  return /^[a-z]+$/i.test(text) && /^,? [a-z]+(?![\w=:])/i.test(rest);
}

function isWeakSecret(text: string, isAssigned: boolean): boolean {
  if (text.length < 6 || /\s/.test(text)) return false;
  const hasDigit = /\d/.test(text);
  const hasLetter = /[A-Za-z]/.test(text);
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (text.length >= (isAssigned ? 6 : 7) && hasLetter && hasDigit && !/^\d{4}-\d\d-\d\dT/.test(text))
    return true;
  if (!isAssigned) return text.length >= 16 && isMixed;
  return (
    (isMixed && text.length >= 12) ||
    (/[^A-Za-z0-9./:_-]/.test(text) && hasLetter) ||
    /^[a-z]{16,}$/.test(text) ||
    /^\d{6,}$/.test(text)
  );
}

function kindOf(name: string): string {
  if (/^(?:pass|pwd|pgpass|pin|otp)/i.test(name)) return 'password';
  if (/key$/i.test(name)) return 'key';
  return /tok/i.test(name) || /^_auth/i.test(name) ? 'token' : 'secret';
}
