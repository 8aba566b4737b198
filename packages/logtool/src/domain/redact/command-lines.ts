import { type CredentialForm, form } from './credential-form.ts';
import { isFileOrResource, isName } from './ordinary-values.ts';

const PASSWORDS =
  '(?:db-?|user-?|admin-?|root-?)?pass(?:word|wd|phrase)?|(?:src|dest|new|old)?(?:store|key)pass(?:wd)?|requirepass';
const KEYS =
  'token|secret|api-?key|access-?key|secret-?key|auth-?token|access-?token|client-?secret|private-?key|bearer-?token';

/** `--password VALUE`, `["--password","VALUE"]`; with `=` it is a name and its value. The list of the arguments may end behind it. */
const flag = (names: string) =>
  new RegExp(
    String.raw`(?<keep>(?:^|[\s"'[,])--?(?:[a-z0-9]{1,20}-){0,2}(?:${names})(?:["',]{0,3}\s{1,4}|\\?["'],\s{0,4})(?:\\?["'])?)(?!-)[^\s"'\\]{2,1023}[^\s"'\\\]]`,
    'gi',
  );

/** A command, up to what stands before its secret. */
const argument = (kind: string, hints: readonly string[], commands: string, before: string): CredentialForm =>
  form(
    kind,
    hints,
    new RegExp(
      String.raw`(?<keep>(?<![A-Za-z0-9])(?:${commands})\b[^|;]{0,512}?\s${before}["']?)[^\s"']{3,512}`,
      'g',
    ),
    (value) => !value.startsWith('-'),
  );

/** Secrets that commands take as arguments. */
export const COMMAND_LINES: readonly CredentialForm[] = [
  form('password', ['-'], flag(PASSWORDS), (value) => !isFileOrResource(value)),
  form('key', ['-'], flag(KEYS), (value) => !isFileOrResource(value) && !isName(value)),
  argument('password', ['curl', 'wget'], 'curl|wget', String.raw`(?:-u|--user)\s{0,2}["']?[^\s:"']{1,128}:`),
  // A quoted login may have blanks.
  form(
    'password',
    ['curl', 'wget'],
    /(?<keep>(?<![A-Za-z0-9])(?:curl|wget)\b[^|;]{0,512}?\s(?:-u|--user)\s{0,2}(?<quote>["'])[^\s:"']{1,128}:)[^"']{3,512}(?=\k<quote>)/g,
  ),
  argument('password', ['http'], 'https?|xh', String.raw`(?:-a|--auth)[\s=]{1,2}["']?[^\s:"']{1,128}:`),
  argument('password', ['etcdctl'], 'etcdctl', String.raw`--user[\s=]{1,2}["']?[^\s:"']{1,128}:`),
  argument('password', ['mysql', 'mariadb'], String.raw`(?:mysql|mariadb)\w{0,8}`, '-p'),
  argument(
    'password',
    ['mongo', 'cqlsh', 'cypher-shell', 'sshpass'],
    'mongosh|mongo|mongodump|mongorestore|mongoexport|mongoimport|mongostat|mongotop|cqlsh|cypher-shell|sshpass',
    String.raw`-p\s{0,2}`,
  ),
  argument('password', ['redis-cli'], 'redis-cli', String.raw`-a\s{1,2}`),
  argument(
    'password',
    ['sqlcmd', 'bcp', 'ipmitool', 'zip'],
    'sqlcmd|bcp|ipmitool|zip|unzip',
    String.raw`-P\s{0,2}`,
  ),
  argument(
    'password',
    [' login'],
    String.raw`(?:docker|podman|nerdctl|helm|skopeo|buildah|crane|oras|az|oc)\s[^|;]{0,64}?\blogin`,
    String.raw`-p[\s=]{0,2}`,
  ),
  argument(
    'password',
    ['ldap'],
    'ldap(?:search|add|modify|delete|passwd|whoami|compare)',
    String.raw`-w\s{0,2}`,
  ),
  argument('password', ['openssl'], 'openssl', String.raw`-pass(?:in|out)?\s{1,2}["']?pass:`),
  argument(
    'password',
    ['htpasswd'],
    'htpasswd',
    String.raw`-\w{0,4}b\w{0,4}\s{1,2}\S{1,256}\s{1,2}\S{1,128}\s{1,2}`,
  ),
  argument(
    'password',
    ['smbclient', 'rpcclient'],
    'smbclient|rpcclient',
    String.raw`-U\s{0,2}[^\s%]{1,128}%`,
  ),
  argument(
    'password',
    ['rabbitmqctl'],
    'rabbitmqctl',
    String.raw`(?:add_user|change_password)\s{1,2}\S{1,128}\s{1,2}`,
  ),
  argument(
    'password',
    ['sqlplus', 'impdp', 'expdp', 'sqlldr'],
    'sqlplus|impdp|expdp|sqlldr',
    String.raw`[\w$#]{1,64}\/`,
  ),
  form('secret', ['--from-literal'], /(?<keep>--from-literal[\s=]{1,2}["']?[\w.-]{1,253}=)[^\s"']{1,4096}/g),
  form(
    'secret',
    ['vault '],
    /(?<keep>(?<![A-Za-z0-9])vault\s(?:kv\s(?:put|patch)|write)\s[^|;]{0,512}?\s[\w.-]{1,128}=)(?!@)[^\s"']{3,4096}/g,
    (value) => !isFileOrResource(value) && /\d/.test(value),
  ),
  form(
    'password',
    ['password-stdin'],
    /(?<keep>(?:echo|printf)\s["']?)[^\s"'|]{3,4096}(?=["']?\s{0,4}\|[^|]{0,256}--password-stdin)/g,
  ),
  form('password', ['pgpassword'], /(?<keep>\bPGPASSWORD=["']?)[^\s"']{1,512}/g),
];
