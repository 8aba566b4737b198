import { type SecretSpan, spansOf } from './secret-kinds.ts';

/** Finds secrets by their surroundings: headers, URLs, command lines, elements. */
export function spansOfForms(text: string, lower: string): readonly SecretSpan[] {
  return FORMS.flatMap(({ hints, find }) => (hints.some((hint) => lower.includes(hint)) ? find(text) : []));
}

interface CredentialForm {
  /** Like those of SecretKind. */
  readonly hints: readonly string[];
  readonly find: (text: string) => readonly SecretSpan[];
}

const form = (kind: string, hints: readonly string[], pattern: RegExp): CredentialForm => ({
  hints,
  find: (text) => spansOf(text, kind, pattern),
});

const SCHEMES =
  'bearer|basic|token|digest|negotiate|ntlm|apikey|ssws|hawk|hoba|mac|oauth|aws4-hmac-sha256|sharedkey(?:lite)?|goog4-[a-z0-9-]{3,20}|key';
const FLAGS =
  'password|passwd|pass|passphrase|token|secret|api-?key|access-?key|secret-?key|auth-?token|access-?token|client-?secret|private-?key|db-?password|requirepass|bearer-?token';

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
  form(
    'api-key-header',
    ['x-'],
    /(?<keep>(?<![A-Za-z0-9])x-(?:[a-z]{1,16}-){0,3}(?:key|token|secret|signature|password)(?:\\?["'])?\s{0,4}(?:=>|[=:])\s{0,4}\[?(?:\\?["'])?)[^\s"'\\,\]]{6,4096}/gi,
  ),
  { hints: ['cookie'], find: spansOfCookies },
  form(
    'session-cookie',
    ['sess', 'sid'],
    /(?<keep>(?<![A-Za-z0-9])(?:JSESSIONID|PHPSESSID|ASP\.NET_SessionId|connect\.sid|laravel_session|_session_id|sessionid|sid)=)[^\s;,"'&]{8,4096}/gi,
  ),
  // The login of a URL, RFC 3986, 3.2.1: a password up to the last @ before the path.
  form(
    'password-in-a-url',
    ['://'],
    /(?<keep>(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/?#@:"'<>]{0,256}:)[^\s/"'<>]{1,512}(?=@)/gi,
  ),
  // A password with an unescaped slash, which some clients accept.
  form(
    'password-in-a-url',
    ['://'],
    /(?<keep>(?<![A-Za-z0-9])(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats|ldaps?|smtps?|ftps?|sftp)(?:\+[a-z0-9]{1,12})?:\/\/[^\s/?#@:"'<>]{0,256}:)[^\s"'<>@]{1,512}(?=@)/gi,
  ),
  form(
    'token-in-a-url',
    ['://'],
    /(?<keep>(?<![A-Za-z0-9])https?:\/\/)(?=[^\s/?#@:]{0,255}[0-9])[^\s/?#@:"'<>]{20,255}(?=@)/gi,
  ),
  form(
    'secret-in-a-query',
    ['?', '&'],
    /(?<keep>[?&](?:key|apikey|api_key|auth|token|access_token|id_token|refresh_token|secret|password|pwd|pass|code|state|jwt|session|sessionid|assertion|client_assertion|SAMLResponse|ticket)=)(?=[^\s&"'<>]{0,64}[0-9])[^\s&"'<>]{8,8192}/gi,
  ),
  // `--password VALUE`, `["--password","VALUE"]`; with `=` it is a name and its value.
  form(
    'password',
    ['--'],
    new RegExp(
      String.raw`(?<keep>[\s"'[,]--?(?:[a-z0-9]{1,20}-){0,2}(?:${FLAGS})(?:["',]{0,3}\s{1,4}|\\?["'],\s{0,4})(?:\\?["'])?)(?!-)[^\s"'\\]{3,1024}`,
      'gi',
    ),
  ),
  form(
    'password',
    ['curl', 'wget'],
    /(?<keep>(?<![A-Za-z0-9])(?:curl|wget)\b[^|;]{0,512}?\s(?:-u|--user)\s{0,2}["']?[^\s:"']{1,128}:)[^\s"']{1,512}/g,
  ),
  form(
    'password',
    ['mysql', 'mariadb', 'sshpass', 'redis-cli', ' login ', 'ldap'],
    /(?<keep>(?<![A-Za-z0-9])(?:(?:mysql|mariadb)\w{0,8}\b[^|;]{0,256}?\s-p|sshpass\s{1,2}-p\s{0,2}|redis-cli\b[^|;]{0,256}?\s-a\s{1,2}|(?:docker|podman|nerdctl|helm|skopeo|buildah|crane|oras|az|oc)\s[^|;]{0,64}?\blogin\b[^|;]{0,256}?\s-p[\s=]{0,2}|ldap(?:search|add|modify|delete|passwd|whoami|compare)\b[^|;]{0,256}?\s-w\s{0,2})["']?)[^\s"']{3,512}/g,
  ),
  form('password', ['pgpassword'], /(?<keep>\bPGPASSWORD=["']?)[^\s"']{1,512}/g),
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
  // `<add key="Password" value="..."/>`, `name: DB_PASSWORD, value: ...`
  form(
    'password',
    ['value'],
    /(?<keep>(?<![A-Za-z0-9])(?:key|name)\\?["']?\s{0,2}[=:]\s{0,2}\\?["']?[\w.:-]{0,64}(?:password|passwd|secret|token|api_?key|access_?key)\\?["']?,?\s{1,4}\\?["']?value\\?["']?\s{0,2}[=:]\s{0,2}\\?["']?)[^\s"'\\,}]{4,4096}/gi,
  ),
  form(
    'password',
    ['pass', 'secret', 'token'],
    /(?<keep>\b(?:password|passphrase|passcode|secret|token|api key)\s(?:is|was|set to|changed to|reset to|of)\s{0,2}:?\s{0,2}["']?)(?=[^\s"']{0,64}[0-9!@#$%^&*])[^\s"']{6,1024}/gi,
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

/** Finds `Bearer abc.def`, `Basic dXNlcjpwYXNz`. Not every text after such a word is a credential. */
function spansOfSchemes(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(SCHEME)).flatMap((match) => {
    const [whole, scheme = '', value = ''] = match;
    const isBasic = scheme.toLowerCase() === 'basic';
    if (isBasic ? !isLogin(value) : !/\d/.test(value) && !/[a-z][A-Z]/.test(value)) return [];
    const end = match.index + whole.length;
    return [{ start: end - value.length, end, kind: isBasic ? 'basic-credentials' : 'bearer-token' }];
  });
}

/** Whether it is base64 of `user:password`. RFC 7617, 2. */
function isLogin(value: string): boolean {
  try {
    return /^[^\x00-\x1f:]*:[^\x00-\x1f]+$/.test(atob(value));
  } catch {
    return false;
  }
}
