import {
  beforeEscape,
  isFileOrResource,
  isMeasure,
  isName,
  isPlaceholder,
  isSentence,
} from './ordinary-values.ts';
import { fullEnd, readNestedValues, readValue, type Value } from './read-value.ts';
import type { SecretSpan } from './secret-kinds.ts';

/** Names whose values are always secrets; a few as other languages write them. */
const STRONG = [
  'pass(?:word|wd|phrase|code|wort)s?',
  'pwd|psw|pswd|kennwort|contrase(?:n|\u00f1)a|senha|mot[_-]?de[_-]?passe|wachtwoord|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u30d1\u30b9\u30ef\u30fc\u30c9',
  'pgpass',
  '(?:key|store|trust[_.-]?store|key[_.-]?store)[_.-]?pass',
  'secret[ _.-]?(?:access[ _.-]?)?key',
  'secret[_.-]?(?:token|id|value)',
  '(?:client|app|consumer|shared|api|oauth|webhook|signing|jwt|session|cookie|auth|account)[_.-]?secret',
  '(?:api|auth|access|refresh|id|bearer|session|csrf|xsrf|security|personal|bot|deploy|service|registration|reset|verification|device|vault|user|private|jwt|admin)[_.-]?token',
  'api[ _.-]?key',
  'pre[_-]?shared[_-]?key|(?<![A-Za-z])psk|bind[_-]?pw',
  'credentials?[_.-]?(?:value|string)',
  '_auth(?:token)?',
  'x-api-key',
  'x-vault-token',
  'otp(?:[_.-]?code)?',
].join('|');
/** Names of keys: of ciphers and services, but also of objects, queues and caches. A name as their value is no secret. */
const KEY =
  '(?:access|account|application|client|app|auth|encryption|decryption|signing|master|private|subscription|shared[_.-]?access|storage|license|service|admin|root|webhook|hmac|aes|ssh|write|integration|ingest|routing)[_.-]?key(?:[_.-]?data)?';
/** Names that ordinary values have too: only a value that looks like a secret is masked. */
const WEAK = 'pw|secret|tok(?:en)?|creds?|credentials?|pass|pin|bearer|jwt';
/** `csrfToken`, `dbpass`: the same names at the end of another. */
const INSIDE = '(?<=[a-z0-9])(?:secret|tok(?:en)?|credentials?|creds|pass|pw)';
/** Names that only end like one of those. */
const OTHER_NAME =
  /(?:^|[^a-z]|\\[a-z])(?:(?:en)?compass|by-?pass|tres-?pass|sur-?pass|(?:over|under|multi|first|last|second|two|single|render|sub|each|per|next|test|tests|build|high|low|band|lint|compiler?|optimizer|analysis)[ _-]?pass|betoken|foretoken|tiktok|nosecret)$/i;
/** What may follow such a name before its value: `PASSWORD_1`, `token2`, `passwordBase64`. */
const SUFFIX = String.raw`(?:[_.-]?(?:\d{1,3}|value|base|base64|b64|plain|raw|hash|prod|production|staging|dev|test|old|new|current|previous|primary|secondary))?`;
/** What may separate a name and its value: `=`, `: `, `=>`, `":"`, `\":\"`. */
const SEPARATOR = String.raw`(?:\\{0,3}["'\`])?\]?\s{0,4}(?::=|=>|->|=|:|\u2192)\s{0,4}`;
const NAMED = new RegExp(
  `(?:(${STRONG})|(${KEY})|(?<![A-Za-z])(${WEAK})|(${INSIDE}))${SUFFIX}${SEPARATOR}`,
  'gi',
);
/** Names that only begin like one of the above: of pages, language models, parsers and locks. */
const OTHER_TOKEN =
  /(?:(?:page|next|continue|continuation|sync|cursor|resume|start|last|max|min|prompt|completion|input|output|total|cached|unexpected|invalid|eos|bos|pad|stop|special|per|fencing|lock|lease|cancell?ation|lexer|parser|syntax)[_.-]?|(?:unexpected|illegal|misplaced|unrecognized|expected|fencing|lock|lease|cancell?ation|resume|page|continue|lexer|parser|syntax|next) )tok(?:en)?$/i;

/** Finds values whose names mark them as secrets: `password=...`, `"token": "..."`, `DB_PASSWORD: ...`. */
export function spansOfNames(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const at = match.index + match[0].length;
    const name = match.slice(1).find((group) => group !== undefined) ?? '';
    const head = text.slice(Math.max(0, match.index - 48), match.index + name.length);
    for (const value of valuesOf(text, at, match))
      if (isSecret(head, match, value))
        spans.push({ start: value.start, end: fullEnd(text, value), kind: kindOf(name) });
    // A value may itself contain names (a query, JSON in a string) unless it is masked as a whole.
    NAMED.lastIndex = Math.max(at, spans.at(-1)?.end ?? 0);
  }
  return spans;
}

/** Whether a name at the end of a text, as `DB_PASSWORD` or `api-token`, marks its value as a secret. */
export function namesSecret(name: string): boolean {
  return NAME.test(name) && !OTHER_TOKEN.test(name) && !OTHER_NAME.test(name);
}
const NAME = new RegExp(`(?:${STRONG}|${KEY}|(?<![A-Za-z])(?:${WEAK})|${INSIDE})${SUFFIX}$`, 'i');

function valuesOf(text: string, at: number, match: RegExpExecArray): readonly Value[] {
  const nested = match[1] === undefined ? [] : readNestedValues(text, at);
  if (nested.length > 0) return nested;
  const value = readValue(text, at);
  return value === undefined ? [] : [value];
}

function isSecret(head: string, match: RegExpExecArray, value: Value): boolean {
  const [, strong, key, , inside] = match;
  const beginning = beforeEscape(value.text);
  if (OTHER_TOKEN.test(head) || (inside !== undefined && OTHER_NAME.test(head))) return false;
  if (isOrdinary(value, beginning) || isWorkingFolder(head, beginning)) return false;
  const isAssigned = value.isQuoted || !/:\s{1,4}$/.test(match[0]);
  if (strong !== undefined) return !isCount(strong, beginning) && (isAssigned || !isProse(value));
  if (key !== undefined) return isKey(beginning) && (isAssigned || !isProse(value));
  // In a longer name without a capital, as in `footoken: abc1234`, the rest of the line is prose more often than not.
  if (inside !== undefined && !isAssigned && !/^[A-Z]/.test(inside)) return false;
  return isWeakSecret(beginning, isAssigned);
}

/** Whether a value is no secret, whatever its name. */
function isOrdinary({ text, isQuoted }: Value, beginning: string): boolean {
  if (beginning === '' || isPlaceholder(text) || isFileOrResource(beginning)) return true;
  return isQuoted && isSentence(text);
}

/** Whether a number says how many there are: `passwords: 3`. */
function isCount(name: string, text: string): boolean {
  return /s$/i.test(name) && /^\d{1,4}$/.test(text);
}

/** Whether a value may be a key, and not the name of an object, a queue or a field. */
function isKey(text: string): boolean {
  return text.length >= 6 && !isName(text) && !isMeasure(text) && !/^(?:[a-z]{1,15}|[A-Z]{1,11})$/.test(text);
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

/** Whether a sentence follows `password: `: two common words in a row, or a number of something. */
function isProse({ text, rest }: Value): boolean {
  return /^(?:[a-z]+|\d{1,3})$/i.test(text) && /^,? [a-z]+(?![\w=:])/i.test(rest);
}

function isWeakSecret(text: string, isAssigned: boolean): boolean {
  if (text.length < 6 || /\s/.test(text) || isName(text) || isMeasure(text)) return false;
  const hasDigit = /\d/.test(text);
  const hasLetter = /[A-Za-z]/.test(text);
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  // `Token: IDENTIFIER12 at line 3`
  if (!isAssigned && /^[A-Za-z_]{4,}\d{0,2}$/.test(text) && !/[a-z][A-Z]/.test(text)) return false;
  if (text.length >= (isAssigned ? 6 : 7) && hasLetter && hasDigit) return true;
  if (!isAssigned) return text.length >= 16 && isMixed;
  return (
    (isMixed && text.length >= 12) ||
    (/[^A-Za-z0-9./:_-]/.test(text) && hasLetter) ||
    /^[a-z]{16,}$/.test(text) ||
    /^\d{6,}$/.test(text)
  );
}

function kindOf(name: string): string {
  if (/key(?:[_.-]?data)?$/i.test(name)) return 'key';
  if (/tok/i.test(name)) return 'token';
  if (/secret|cred/i.test(name)) return 'secret';
  return /bearer|jwt|^_auth/i.test(name) ? 'token' : 'password';
}
