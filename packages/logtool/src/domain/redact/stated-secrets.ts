import { type CredentialForm, form } from './credential-form.ts';
import { isFileOrResource, isPlaceholder, isSentence } from './ordinary-values.ts';

/** The rest of a quoted value of SQL, in which a doubled quote is one. */
const QUOTED = String.raw`(?:[^'\\]|''|\\.){1,512}(?=')`;
const isNoPlaceholder = (value: string) => !isPlaceholder(value) && !isSentence(value);

const SUFFIX = String.raw`(?:[_.-]?(?:\d{1,3}|value|old|new|current|previous))?`;
/** What follows the first of several, unless it is the name of the next value. */
const MORE = String.raw`(?: (?![\w.-]{1,64}[=:])[A-Za-z0-9'-]{1,32}){2,31}`;
const PHRASE = `[A-Za-z0-9'-]{2,32}${MORE}`;

/** What sentences about a passphrase contain, and passphrases seldom. */
const OF_SENTENCE =
  /^(?:an?|the|is|are|was|were|be|been|for|of|to|in|on|at|by|from|with|without|and|or|not|no|if|it|its|that|than|has|have|had|will|can|could|would|may|must|should|does|did|do|so|as|when|while|after|before|because|failed|failure|errors?|wrong|invalid|incorrect|bad|again|attempts?|unable|cannot|tried|trying|retry|retrying|locked|logged|authenticated|authentication|decrypt\w*|load\w*|read\w*|using|used|requested|requires?|skipping|ignored)$/i;

/** Whether words are a passphrase instead of a sentence about one. */
function isPhrase(text: string): boolean {
  const first = text.split(' ').slice(0, 4);
  return !isPlaceholder(first[0] ?? '') && !isSentence(text) && !first.some((each) => OF_SENTENCE.test(each));
}

/** Secrets in statements of databases, in the words of programs that print a first password, and passphrases. */
export const STATED_SECRETS: readonly CredentialForm[] = [
  // PostgreSQL, SQL Server: CREATE ROLE, ALTER USER, CREATE LOGIN.
  form(
    'password',
    ['password'],
    new RegExp(
      String.raw`(?<keep>\b(?:create|alter)\s{1,4}(?:user|role|login|group)\b[^;']{0,256}?\bpassword\s{0,4}=?\s{0,4}N?')${QUOTED}`,
      'gi',
    ),
    isNoPlaceholder,
  ),
  // MySQL, MariaDB, Oracle, ClickHouse: IDENTIFIED [WITH plugin] BY.
  form(
    'password',
    ['identified'],
    new RegExp(
      String.raw`(?<keep>\bidentified\s{1,4}(?:(?:with|via)\s{1,4}\S{1,64}\s{1,4})?(?:by|as|using)\s{1,4}(?:password\s{0,4}\(?\s{0,4})?')${QUOTED}`,
      'gi',
    ),
    isNoPlaceholder,
  ),
  form(
    'password',
    ['password'],
    new RegExp(
      String.raw`(?<keep>\bset\s{1,4}password\s{1,4}(?:for\s{1,4}[^\s=]{1,128}\s{0,4})?=\s{0,4}(?:password\s{0,4}\(\s{0,4})?')${QUOTED}`,
      'gi',
    ),
    isNoPlaceholder,
  ),
  // mysqld --initialize
  form('password', ['generated'], /(?<keep>\bpassword is generated for \S{1,128}: )\S{4,512}/gi),
  // Jenkins
  form('password', ['installation'], /(?<keep>\bpassword to proceed to installation:\s{1,4})\S{8,512}/gi),
  form('password', ['generated'], /(?<keep>\bgenerated password )(?=\S{0,64}\d)\S{6,512}/gi),
  // Argo CD
  form(
    'password',
    ['initial-password'],
    /(?<keep>\binitial-password )(?=\S{0,64}\d)\S{6,512}/gi,
    isNoPlaceholder,
  ),
  // Vault, OpenBao
  form('key', ['unseal'], /(?<keep>\bunseal key(?: \d{1,3})?:\s{1,4})[A-Za-z0-9+/=]{20,256}/gi),
  // The directives of Redis.
  form(
    'password',
    ['requirepass', 'masterauth'],
    /(?<keep>(?<![\w-])(?:requirepass|masterauth)\s{1,4}"?)[^\s"]{4,512}/gi,
    (value) => isNoPlaceholder(value) && !isFileOrResource(value),
  ),
  // kubernetes.io/tls
  form(
    'key',
    ['tls.key'],
    /(?<keep>(?<![\w./-])tls\.key(?:\\{0,3}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,3}["'])?)[A-Za-z0-9+/=]{24,16384}/gi,
  ),
  // Passphrases without quotes, up to their last word.
  form(
    'password',
    ['phrase', 'seed'],
    new RegExp(
      String.raw`(?<keep>(?:pass[ _-]?phrase|(?:seed|recovery|mnemonic|backup)[ _-]?(?:phrase|words))${SUFFIX}\s{0,4}(?::=|=>|->|=|:)\s{0,4})${PHRASE}`,
      'gi',
    ),
    isPhrase,
  ),
  // After a colon, a sentence about the password follows as often.
  form(
    'password',
    ['passw', 'passcode'],
    new RegExp(`(?<keep>(?:password|passwd|passwort|passcode)${SUFFIX}=)${PHRASE}`, 'gi'),
    isPhrase,
  ),
];
