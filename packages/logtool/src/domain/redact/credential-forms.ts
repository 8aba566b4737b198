import { COMMAND_LINES } from './command-lines.ts';
import { type CredentialForm, form } from './credential-form.ts';
import { namesSecret } from './named-secrets.ts';
import { isFileOrResource, isMeasure, isName, isPlaceholder, isRandom } from './ordinary-values.ts';
import { readValue } from './read-value.ts';
import type { SecretSpan } from './secret-kinds.ts';
import { STATED_SECRETS } from './stated-secrets.ts';

/** Finds secrets by their surroundings: headers, URLs, command lines, elements. */
export function spansOfForms(text: string, lower: string): readonly SecretSpan[] {
  return [...FORMS, ...COMMAND_LINES, ...STATED_SECRETS].flatMap(({ hints, find }) =>
    hints.some((hint) => lower.includes(hint)) ? find(text) : [],
  );
}

const SCHEMES =
  'bearer|basic|token|digest|negotiate|ntlm|apikey|ssws|hawk|hoba|mac|oauth|aws4-hmac-sha256|sharedkey(?:lite)?|goog4-[a-z0-9-]{3,20}|key';
const DATABASES =
  'postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats|ldaps?|smtps?|ftps?|sftp';

const FORMS: readonly CredentialForm[] = [
  // RFC 9110, 11.6.2: a scheme, then one token or a list of parameters, which may be quoted.
  form(
    'authorization-header',
    ['authorization'],
    new RegExp(
      String.raw`(?<keep>authorization(?:\\?["'])?\s{0,4}(?:=>|[=:])\s{0,4}[[{(]?(?:\\?["'])?\[?(?:\\?["'])?)(?:(?:${SCHEMES})\s{1,4}(?:[\w-]{1,32}="?[^"\\]{0,2048}"?,?\s?){0,16}[^\s"'\\,\]})]{0,8192}|(?=[^\s"']{0,64}[0-9])[A-Za-z0-9._~+/=-]{12,8192})`,
      'gi',
    ),
  ),
  { hints: ['bearer', 'basic'], find: spansOfSchemes },
  // Apart from the keys of caches, queues and tables: `X-Idempotency-Key`, `x-cache-key`.
  form(
    'api-key-header',
    ['x-'],
    /(?<keep>(?<![A-Za-z0-9])x-(?:(?!(?:idempoten|cache|surrogate|partition|sort|hash|rout|row|object|message|shard|primary|foreign|dedup|group|trac|correlation|public|map|rate|limit|lookup|index|order|request|trans|tenant|job|lock)[a-z]{0,12}-)[a-z]{1,16}-){0,3}(?:key|token|secret|signature|password)(?:\\?["'])?\s{0,4}(?:=>|[=:])\s{0,4}\[?(?:\\?["'])?)[^\s"'\\,\]]{6,4096}/gi,
    (value) => !isPlaceholder(value),
  ),
  { hints: ['authorization', 'cookie', 'key', 'token', 'secret', 'pass'], find: spansOfPairs },
  { hints: ['value'], find: spansOfEntries },
  { hints: ['value'], find: spansOfReversedEntries },
  { hints: ['cookie'], find: spansOfCookies },
  { hints: ['cookies'], find: spansOfCookieObjects },
  form(
    'session-cookie',
    ['sess'],
    /(?<keep>(?<![A-Za-z0-9])(?:JSESSIONID|PHPSESSID|ASP\.NET_SessionId|laravel_session|_session_id|sessionid)=)[^\s;,"'&]{8,4096}/gi,
  ),
  // Security identifiers, numbers and short names are called so too.
  form(
    'session-cookie',
    ['sid='],
    /(?<keep>(?<![A-Za-z0-9])(?:connect\.)?sid=)[^\s;,"'&]{8,4096}/gi,
    isRandom,
  ),
  // The login of a URL, RFC 3986, 3.2.1: a password up to the last @ before the path.
  form(
    'password-in-a-url',
    ['://'],
    /(?<keep>(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/?#@:"'<>]{0,256}:)[^\s/"'<>]{1,512}(?=@)/gi,
  ),
  // A value of a connection string, which ends only at a semicolon: `Server=db;User Id=sa;Password=two words;Encrypt=true`.
  form(
    'password',
    ['password', 'pwd'],
    /(?<keep>(?<![A-Za-z0-9])(?:password|pwd)\s?=\s?)(?<=[A-Za-z][A-Za-z ]{0,31}=[^;="'\\]{1,128};\s?(?:password|pwd)\s?=\s?)[^;"'\\]{1,256}(?=;)/gi,
    (value) => /\S\s/.test(value) && !isPlaceholder(value),
  ),
  // A password with an unescaped slash, which some clients accept.
  form(
    'password-in-a-url',
    ['://'],
    new RegExp(
      String.raw`(?<keep>(?<![A-Za-z0-9])(?:${DATABASES})(?:\+[a-z0-9]{1,12})?:\/\/[^\s/?#@:"'<>]{0,256}:)[^\s"'<>@]{1,512}(?=@)`,
      'gi',
    ),
  ),
  // A password with a quote or a bracket, in the URL of a database.
  form(
    'password-in-a-url',
    ['://'],
    new RegExp(
      String.raw`(?<keep>(?<![A-Za-z0-9])(?:${DATABASES})(?:\+[a-z0-9]{1,12})?:\/\/[\w.%-]{0,256}:)(?:[^\s/@:"'<>]|["'<>](?![\s,:;)\]}])){1,256}(?=@[\w.[-])`,
      'gi',
    ),
  ),
  form(
    'token-in-a-url',
    ['://'],
    /(?<keep>(?<![A-Za-z0-9])https?:\/\/)(?=[^\s/?#@:]{0,255}[0-9])(?=[^\s/?#@:]{0,255}[A-Za-z])[^\s/?#@:"'<>]{20,255}(?=@)/gi,
  ),
  // https://github.com/go-sql-driver/mysql, "DSN (Data Source Name)": the password ends at the last @ before the protocol.
  form(
    'password-in-a-dsn',
    ['@tcp', '@udp', '@unix', '@cloudsql'],
    /(?<keep>(?<![\w.%+-])[\w.%+-]{1,64}:)(?!\/\/)[^\s]{1,256}(?=@(?:tcp|udp|unix|cloudsql)[46]?\()/gi,
  ),
  // Oracle: `shop/password@//db:1521/orders`, `jdbc:oracle:thin:shop/password@db`.
  form('password-in-a-dsn', ['@//'], /(?<keep>(?<![\w/.:-])[\w$#]{1,64}\/)[^\s/@]{1,256}(?=@\/\/)/g),
  form(
    'password-in-a-dsn',
    ['jdbc:oracle:'],
    /(?<keep>jdbc:oracle:\w{1,8}:[\w$#]{1,64}\/)[^\s/@]{1,256}(?=@)/gi,
  ),
  form(
    'secret-in-a-query',
    ['?', '&', '#'],
    /(?<keep>[?&#](?:apikey|api_key|auth|token|auth_token|access_token|id_token|refresh_token|secret|password|pwd|pass|jwt|assertion|client_assertion|SAMLResponse)=)(?=[^\s&"'<>]{0,64}[0-9])[^\s&"'<>]{8,8192}/gi,
  ),
  // Coupons, products, orders and tabs have codes, keys and sessions too.
  form(
    'secret-in-a-query',
    ['?', '&', '#'],
    /(?<keep>[?&#](?:key|code|state|session|sessionid|ticket)=)[^\s&"'<>]{16,8192}/gi,
    isRandom,
  ),
  form(
    'token-in-a-path',
    ['reset', 'magic', 'verify-email', 'confirm-email'],
    /(?<keep>\/(?:(?:password[_-])?reset(?:[_-]password)?|magic(?:[_-]link)?|verify-email|confirm-email)\/)[A-Za-z0-9_.=-]{16,1024}/gi,
    isRandom,
  ),
  // netrc(5)
  form(
    'password',
    ['machine ', 'login '],
    /(?<keep>\blogin\s{1,4}[^\s]{1,256}\s{1,4}password\s{1,4})[^\s]{1,512}/g,
  ),
  form(
    'password',
    ['</'],
    /(?<keep><(?:[\w-]{1,32}:)?[\w.-]{0,32}(?:password|passwd|passphrase|secret|token|apikey|accesskey|privatekey)(?:\s[^<>]{0,128})?>)(?:<!\[CDATA\[)?[^<\s]{1,4096}/gi,
  ),
  form(
    'password',
    ['pass', 'secret', 'token', 'api'],
    /(?<keep>(?<![A-Za-z])(?:password|passphrase|passcode|secret|token|api[ _-]?key)\s(?:for\s(?:user\s|account\s)?["']?[\w.@-]{1,64}["']?\s?)?(?:is|was|to|set to|changed to|changed from|reset to|of|(?<=\sfor\s.{1,80}):)\s{0,2}:?\s{0,2}["']?)(?=[^\s"']{0,64}[0-9!@#$%^&*])[^\s"']{6,1024}/gi,
    (value) => !isName(value) && !isFileOrResource(value) && !isMeasure(value) && !isPlaceholder(value),
  ),
  // `sent token 9xK...`: nothing but the word before it names it.
  form(
    'token',
    ['token ', 'jwt ', 'key ', 'password ('],
    /(?<keep>(?<![A-Za-z])(?:(?:token|jwt|api[ _-]?key)\s["']?|password \(["']?))(?=[^\s"']{0,64}[a-z])(?=[^\s"']{0,64}[A-Z])[A-Za-z0-9_.~+/=-]{20,4096}/gi,
    isRandom,
  ),
];

const COOKIES =
  /(?<![A-Za-z0-9])(?:set-)?cookie2?(?:\\?["'])?\s{0,4}(?:=>|[=:])\s{0,4}\[?(?:\\?["'])?(?=[^\s=;"']{1,256}=)([^"'\]\r\n]{3,8192})/gi;
/** What `Set-Cookie` says of a cookie: RFC 6265, 4.1.1, and its later attributes. */
const COOKIE_ATTRIBUTES = new Set([
  'path',
  'domain',
  'expires',
  'max-age',
  'samesite',
  'priority',
  'version',
  // Consent and statistics.
  '_ga',
  '_gid',
  '_gat',
  '_fbp',
  '_gcl_au',
  'consent',
  'cookieconsent',
  'cookie_consent',
  'optanonconsent',
  'euconsent-v2',
]);
const SECRET_COOKIE =
  /sess|sid|tok|auth|jwt|csrf|xsrf|pass|pwd|secret|key|login|remember|credential|pin|otp|code/i;

/** Finds the values of cookies, RFC 6265, 4.2.1, apart from those of settings: `theme=dark`, `lang=en-US`. */
function spansOfCookies(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(COOKIES)).flatMap((match) => {
    const body = match[1] ?? '';
    const from = match.index + match[0].length - body.length;
    const pairs = Array.from(body.matchAll(/(?:^|[;,\s])([^\s=;,]{1,256})=/g));
    return pairs.flatMap(({ index, 0: head, 1: name = '' }, number) => {
      const at = index + head.length;
      const [value = ''] = body.slice(at, pairs[number + 1]?.index).split(';', 1);
      return isSetting(name, value)
        ? []
        : [{ start: from + at, end: from + at + value.length, kind: 'cookie' }];
    });
  });
}

/** Whether a cookie's value is a setting: too short for a secret, or one common word. */
function isSetting(name: string, value: string): boolean {
  if (COOKIE_ATTRIBUTES.has(name.toLowerCase())) return true;
  const [beginning = ''] = value.split(/[\s,]/, 1);
  return !SECRET_COOKIE.test(name) && (beginning.length < 6 || /^[a-z]{1,10}$/.test(beginning));
}

const SCHEME = /(?<![A-Za-z0-9])(bearer|basic)\s{1,4}([A-Za-z0-9._~+/-]{8,8192}={0,2})/gi;

/** `cookies={'sid': '...'}`, `"cookies":{"sid":"..."}` */
const COOKIE_OBJECT = /(?<![A-Za-z])cookies(?:\\{0,3}["'])?\s{0,4}(?:=>|[=:])\s{0,4}\{([^{}]{0,2048})/gi;
const COOKIE_ENTRY = /(?:^|[,\s])\\{0,3}["']?([^\s=:,"'\\]{1,128})\\{0,3}["']?\s{0,2}(?:=>|[=:])\s{0,4}/g;

/** Finds the values of cookies that a program prints as an object. */
function spansOfCookieObjects(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(COOKIE_OBJECT)).flatMap(({ index, 0: whole, 1: body = '' }) => {
    const from = index + whole.length - body.length;
    return Array.from(body.matchAll(COOKIE_ENTRY)).flatMap(({ index: at, 0: head, 1: name = '' }) => {
      const value = readValue(text, from + at + head.length);
      if (value === undefined || isSetting(name, value.text)) return [];
      return [{ start: value.start, end: value.end, kind: 'cookie' }];
    });
  });
}

/** `['X-Api-Key', '...']`, `(b'cookie', b'...')`, `["Authorization","ApiKey ..."]`: pairs, and lists of both in turn. */
const PAIR = /\\{0,3}["']([A-Za-z][\w.-]{2,63})\\{0,3}["'],\s{0,4}(?=b?\\{0,3}["'])/g;
const SECRET_HEADER =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|x-(?:[a-z]+-){0,3}(?:key|token|secret|signature)|(?:api|auth)-(?:key|token)|apikey)$/i;
/** Lists of names: `['password', 'password2']`, `["authorization","x-api-key"]`. */
const LISTED_NAME = /^[A-Za-z][A-Za-z_]*\d?$|^(?:[A-Za-z]+-)+[A-Za-z0-9]{1,12}$/;

/** Finds the value beside each quoted name of a secret. */
function spansOfPairs(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(PAIR)).flatMap(({ index, 0: head, 1: name = '' }) => {
    const isHeader = SECRET_HEADER.test(name);
    if (!isHeader && !namesSecret(name)) return [];
    const value = readValue(text, index + head.length);
    if (value === undefined || value.text.length < 6) return [];
    const { text: written, start, end } = value;
    if (isPlaceholder(written) || LISTED_NAME.test(written) || isFileOrResource(written)) return [];
    if (!isHeader && (!/\d/.test(written) || /\s/.test(written) || isName(written))) return [];
    return [{ start, end, kind: isHeader ? 'header' : 'secret' }];
  });
}

/** `{"name":"DB_PASSWORD","value":"..."}`, `<add key="Password" value="..."/>`, `EnvVar{Name:DB_PASSWORD,Value:...}` */
const ENTRY =
  /(?<![A-Za-z0-9])(?:key|name|variable|env|field|header|param(?:eter)?)(?:\\{0,3}["'])?\s{0,2}[=:]\s{0,2}(?:\\{0,3}["'])?([\w.:/-]{1,128}?)(?:\\{0,3}["'])?\s{0,2}[,;]?\s{0,4}(?:(?:\\{0,3}["'])?\w{1,24}(?:\\{0,3}["'])?\s{0,2}[=:]\s{0,2}(?:null|nil|true|false|\d{1,12}|\\{0,3}["'][^"'\\]{0,64}\\{0,3}["'])\s{0,2}[,;]?\s{0,4}){0,3}(?:\\{0,3}["'])?value(?:\\{0,3}["'])?\s{0,2}[=:]\s{0,2}(?=[^\s[{])/gi;

/** `{"value":"...","name":"DB_PASSWORD"}`, `value="..." name="password"` */
const REVERSED =
  /(?<![A-Za-z0-9])value(?:\\{0,3}["'])?\s{0,2}[=:]\s{0,2}(?<quote>\\{0,3}["'])(?<value>[^"'\\]{4,4096})\k<quote>\s{0,2},?\s{0,4}(?:\\{0,3}["'])?(?:name|key)(?:\\{0,3}["'])?\s{0,2}[=:]\s{0,2}\\{0,3}["'](?<name>[\w.:/-]{1,128})/gi;

/** Finds the values of such entries whose name marks them as secrets. */
function spansOfReversedEntries(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(REVERSED)).flatMap(({ index, 0: whole, groups = {} }) => {
    const { value = '', quote = '', name = '' } = groups;
    if (!namesSecret(name) || isPlaceholder(value) || isFileOrResource(value)) return [];
    const start = index + whole.indexOf(quote + value) + quote.length;
    return [{ start, end: start + value.length, kind: 'password' }];
  });
}

/** Finds the value of each entry whose name marks it as a secret. */
function spansOfEntries(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(ENTRY)).flatMap(({ index, 0: head, 1: name = '' }) => {
    if (!namesSecret(name)) return [];
    const value = readValue(text, index + head.length);
    if (value === undefined || value.text.length < 4) return [];
    const { text: written, start, end } = value;
    return isPlaceholder(written) || isFileOrResource(written) ? [] : [{ start, end, kind: 'password' }];
  });
}

/** Finds `Bearer abc.def`, `Basic dXNlcjpwYXNz`. Not every text after such a word is a credential. */
function spansOfSchemes(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(SCHEME)).flatMap((match) => {
    const [whole, scheme = '', value = ''] = match;
    const isBasic = scheme.toLowerCase() === 'basic';
    if (isBasic ? !isLogin(value) : !isCredential(value)) return [];
    const end = match.index + whole.length;
    return [{ start: end - value.length, end, kind: isBasic ? 'basic-credentials' : 'bearer-token' }];
  });
}

/** Whether it is no word: `Bearer authentication`, `bearer token1 rejected`. */
function isCredential(value: string): boolean {
  return (
    (/\d/.test(value) || /[a-z][A-Z]/.test(value)) && !/^[A-Za-z]{2,16}\d{0,8}$/.test(value) && !isName(value)
  );
}

/** Whether it is base64 of `user:password`. RFC 7617, 2. */
function isLogin(value: string): boolean {
  try {
    return /^[^\x00-\x1f:]*:[^\x00-\x1f]+$/.test(atob(value));
  } catch {
    return false;
  }
}
