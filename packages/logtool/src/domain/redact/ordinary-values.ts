/**
 * Where the word before an escape ends, as in `pin=29\\nnext`. What the escape stands for is judged in the decoded text
 * (`decodedTexts`).
 */
const ESCAPED = /\\+(?:[abefnrtuvx0"']|$)|%[0-9A-Fa-f]{2}|\x1b/;

/** Returns what a value says before its first escape. The judgments below read no further. */
export function beforeEscape(text: string): string {
  const [beginning = ''] = text.replaceAll('\\/', '/').split(ESCAPED, 1);
  return beginning;
}

/** Texts that stand for a hidden or unknown value, or say what became of it. */
const PLACEHOLDER =
  /^(?:[*\u2022.x-]{2,}|\*|<.*|\[.*|\(.*|\$\{.*|\$\(.*|\$[A-Z_]+|%[a-z].{0,2}|\{\{.*|\{\w*\}?|null|nil|none|undefined|true|false|yes|no|on|off|n\/a|empty|hidden|masked|redacted|removed|filtered|omitted|protected|sensitive|secure|required|missing|optional|invalid|incorrect|wrong|expired|revoked|valid|set|unset|changed|ok|failed|error|unknown|string|text|secret|password|token|default|must|is|was|not|cannot|has|the|for|and|too|please|enter|this|that|your|file|env|vault|changeit|enabled|disabled|present|absent|found|denied|granted|allowed|rejected|accepted|provided|configured|generated|created|updated|deleted|loaded|stored|sent|used)$/i;

/** Whether a value stands for a hidden or unknown one. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(beforeEscape(text).slice(0, 64));
}

/** A sentence about a value, as validators write it: `"password":"is too short"`. */
const SENTENCE =
  /\b(?:must|should|can't|cannot|may not|too (?:short|long|weak|common)|is (?:required|not|invalid|missing|incorrect|similar)|at least|characters|required|this field|please|do(?:es)? not|doesn't|don't|has been|have been)\b/i;

/** Whether a quoted value is a sentence about the value. */
export function isSentence(text: string): boolean {
  return /\s/.test(text) && SENTENCE.test(text.slice(0, 256));
}

/** Folders at the top of a file system: a key of base64 begins with a slash too. */
const PATH =
  /^(?:file:(?:\/\/)?)?(?:(?:~|\.{1,2}|[A-Za-z]:)[/\\]|\/(?:app|bin|boot|build|certs?|config|data|dev|etc|home|keys?|lib|media|mnt|opt|private|proc|root|run|secrets?|srv|ssl|tls|tmp|Users|usr|var|vault|work|workspace)\/)[\w.@+/\\-]{1,512}$/;
const FILE =
  /^[\w.@+/\\-]{0,256}[\w-]\.(?:key|pem|crt|cer|csr|p12|pfx|jks|keystore|json|ya?ml|txt|env|conf|cfg|ini|toml|properties|sock|gpg|pub)$/i;
/** Names of keys in services that keep them: AWS, Google, Azure, Vault. */
const RESOURCE =
  /^(?:alias\/|arn:[a-z-]+:|projects\/|kms:|awskms:|gcpkms:|azurekms:|vault:|ssm:|k8s:|secretRef:)/i;

/** Whether a value says where a secret lies: a file, or a key of a service. */
export function isFileOrResource(value: string): boolean {
  const text = beforeEscape(value);
  return PATH.test(text) || FILE.test(text) || RESOURCE.test(text);
}

const NAME_SEGMENT =
  /^(?:[a-z]{1,24}|[A-Z]{1,24}|[A-Z][a-z]{1,23}|[a-z]{1,16}(?:[A-Z][a-z]{1,16}){1,3})\d{0,3}$/;
const NUMBER = /^v?\d{1,10}$/;
/** What Kubernetes adds to the names of objects that it makes: letters that form no word, and hashes of templates. */
const SUFFIX = /^(?:[bcdfghjklmnpqrstvwxz2456789]{4,10}|[a-z0-9]{5})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether a value is a name that people and clusters give: several words and numbers, as in `shop/web-tls-2`,
 * `orders.created.v2`, `default-token-x7k2p`. Groups of equal length, as in `ABCD-1234-EFGH`, are a key.
 */
export function isName(value: string): boolean {
  const text = beforeEscape(value);
  if (text.length > 128 || UUID.test(text)) return false;
  const segments = text.split(/[/._:@-]{1,2}/).filter((segment) => segment !== '');
  const [first = ''] = segments;
  if (segments.length < 2) return false;
  if (segments.length > 2 && first.length > 3 && segments.every(({ length }) => length === first.length))
    return false;
  return (
    segments.some((segment) => /[A-Za-z]{3}/.test(segment) && NAME_SEGMENT.test(segment)) &&
    segments.every(
      (segment, index) =>
        NAME_SEGMENT.test(segment) || NUMBER.test(segment) || (index > 0 && SUFFIX.test(segment)),
    )
  );
}

/** Versions, sizes, durations, addresses, times, pins, and objects as programs print them: `Token{78af589`. */
const MEASURE =
  /^(?:v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+][\w.]{1,32})?|\d{1,5}x\d{1,5}|\d{1,9}(?:\.\d{1,6})?(?:ns|us|ms|s|m|h|d|[kKMGT]i?B?|%)|(?:\d{1,4}[hms]){2,4}|\d{4}-\d\d(?:-\d\d)?(?:[T ].{0,32})?|\d{1,2}:\d\d(?::\d\d.{0,10})?|(?:[a-z]\w{0,40}\.){0,12}[A-Z][\w$]{0,80}@[0-9a-f]{5,8}|S-1-\d{1,2}-[\d-]{1,64}|GPIO\w{1,4}|[A-Z]\w{0,40}[{(@[].*|0x[0-9a-f]{1,16})$/;

/** Whether a value is a measure, a time or an object instead of a text that somebody chose. */
export function isMeasure(text: string): boolean {
  return MEASURE.test(beforeEscape(text).slice(0, 128));
}

/** Whether a value looks as if a program had drawn it: long, of letters and digits, and no name. */
export function isRandom(value: string): boolean {
  const text = beforeEscape(value);
  return (
    text.length >= 16 &&
    /\d/.test(text) &&
    /[A-Za-z]/.test(text) &&
    !isName(text) &&
    !isFileOrResource(text) &&
    !isMeasure(text)
  );
}
