import { DIGITS, mixedText, UPPER } from './alphabets.ts';
import type { Random } from './random.ts';
import { form, type SecretSample } from './written-secrets.ts';

/** Returns secrets that the text around them gives away: headers, URLs, commands, sentences. */
export function credentialForms(random: Random): readonly SecretSample[] {
  const alnum = (length: number) => mixedText(random, length);
  const login = Buffer.from(`bob:${alnum(12)}`).toString('base64');
  const texts: Texts = { random, alnum, login };
  return [
    ...authorizations(texts),
    ...cookies(texts),
    ...urls(texts),
    ...commandLines(texts),
    ...documents(texts),
    ...statements(texts),
  ];
}

interface Texts {
  readonly random: Random;
  /** Returns a text of that length with a letter and a digit. */
  readonly alnum: (length: number) => string;
  /** User and password in base64. */
  readonly login: string;
}

function authorizations({ random, alnum, login }: Texts): readonly SecretSample[] {
  return [
    form('bearer header', alnum(40), 'Authorization: Bearer '),
    form('bearer in a sentence', alnum(24), 'using Bearer ', ' for the call'),
    form('basic header', login, 'authorization: Basic '),
    form('basic in a sentence', login, 'sent Basic ', ' to proxy'),
    form('proxy header', login, 'Proxy-Authorization: Basic '),
    form('headers of Go', alnum(40), 'map[Accept:[*/*] Authorization:[Bearer ', '] User-Agent:[curl]]'),
    form('headers as JSON', alnum(40), '{"headers":{"authorization":"Bearer ', '"}}'),
    form('token scheme', random.hex(40), 'Authorization: token '),
    form(
      'signature of AWS',
      random.hex(64),
      `Authorization: AWS4-HMAC-SHA256 Credential=x/20261121/eu/s3/aws4_request, SignedHeaders=host, Signature=`,
    ),
    form('X-Api-Key', alnum(32), 'X-Api-Key: '),
    form('X-Auth-Token', alnum(32), '"x-auth-token": "', '"'),
    form('X-Vault-Token', alnum(32), 'X-Vault-Token: '),
  ];
}

function cookies({ random, alnum }: Texts): readonly SecretSample[] {
  return [
    form('cookie', alnum(32), 'Cookie: theme=dark; session='),
    form('set-cookie', alnum(32), 'Set-Cookie: sid=', '; Path=/; HttpOnly'),
    form('cookie among settings', alnum(24), 'Cookie: lang=en; theme=dark, auth=', '; tz=UTC'),
    form('short cookie of a session', alnum(5), 'Cookie: session='),
    form('session cookie', random.text(UPPER + DIGITS, 32), 'redirect to /shop;JSESSIONID='),
  ];
}

function urls({ random, alnum }: Texts): readonly SecretSample[] {
  return [
    form('PostgreSQL URL', alnum(14), 'postgres://shop:', '@db.shop.svc:5432/orders?sslmode=require'),
    form('password with signs', `p@${alnum(6)}#${alnum(3)}`, 'postgresql://shop:', '@db:5432/orders'),
    form('MongoDB URL', alnum(14), 'mongodb+srv://root:', '@c0.mongodb.net/admin'),
    form('Redis URL', alnum(14), 'redis://:', '@redis:6379/0'),
    form('AMQP URL', alnum(14), 'amqp://guest:', '@rabbit:5672/'),
    form('URL with basic auth', alnum(14), 'GET https://bob:', '@example.com/a/b'),
    form('token before a host', alnum(40), 'git clone https://', '@github.com/a/b.git'),
    form('Sentry DSN', random.hex(32), 'dsn https://', '@o12.ingest.sentry.io/34'),
    form('token in a query', alnum(32), 'GET /callback?access_token=', '&lang=en HTTP/1.1'),
    form('code in a query', alnum(32), 'GET /callback?state=1&code=', ' 302'),
  ];
}

function commandLines({ alnum }: Texts): readonly SecretSample[] {
  return [
    form('flag', alnum(12), 'exec: app --port 1 --password ', ' --verbose'),
    form('flags of a container', alnum(12), 'args: ["--port","1","--db-password","', '"]'),
    form('docker login', alnum(12), 'docker login -u bob -p ', ' ghcr.io'),
    form('ldapsearch', alnum(12), 'ldapsearch -D cn=admin -w ', ' -b dc=x'),
    form('curl', alnum(12), 'run curl -s -u bob:', ' https://x.example'),
    form('mysql', alnum(12), 'run mysqldump -u root -p', ' shop'),
    form('PGPASSWORD', alnum(12), 'PGPASSWORD=', ' psql -h db'),
    form('netrc', alnum(12), 'machine github.com login bob password '),
  ];
}

function documents({ random, alnum }: Texts): readonly SecretSample[] {
  return [
    form('XML', alnum(12), '<user>bob</user><password>', '</password>'),
    form('XML with attributes', alnum(12), '<password type="plain">', '</password>'),
    form('sentence', alnum(12), 'the generated password is '),
    form('initial password', alnum(12), 'initial admin password: '),
    form('environment of a pod', alnum(16), 'name: DB_PASSWORD, value: '),
    form(
      'Teams webhook',
      `${random.uuid()}@${random.uuid()}/x/${random.hex(32)}/${random.uuid()}`,
      'https://shop.webhook.office.com/webhookb2/',
    ),
    form(
      'private key on one line',
      random.base64(90),
      '-----BEGIN EC PRIVATE KEY-----\\n',
      '\\n-----END EC PRIVATE KEY-----',
    ),
    form(
      'OpenSSH key',
      random.base64(90),
      '-----BEGIN OPENSSH PRIVATE KEY----- ',
      ' -----END OPENSSH PRIVATE KEY-----',
    ),
  ];
}

function statements({ random, alnum }: Texts): readonly SecretSample[] {
  return [
    form('role of PostgreSQL', alnum(12), "statement: CREATE ROLE app LOGIN PASSWORD '", "';"),
    form('encrypted password of PostgreSQL', alnum(12), "ALTER USER shop WITH ENCRYPTED PASSWORD '", "'"),
    form('login of SQL Server', alnum(12), "CREATE LOGIN shop WITH PASSWORD = N'", "'"),
    form('user of MySQL', alnum(12), "CREATE USER 'app'@'%' IDENTIFIED BY '", "'"),
    form(
      'user of MySQL with a plugin',
      alnum(12),
      "ALTER USER app IDENTIFIED WITH caching_sha2_password BY '",
      "'",
    ),
    form('set password', alnum(12), "SET PASSWORD FOR root = '", "'"),
    form('first password of mysqld', alnum(12), 'A temporary password is generated for root@localhost: '),
    form(
      'first password of Jenkins',
      random.hex(32),
      'use the following password to proceed to installation: ',
    ),
    form('unseal key', alnum(44), 'Unseal Key 1: '),
    form('requirepass', alnum(16), 'requirepass '),
    form('key of a TLS Secret', alnum(80), '{"tls.key":"', '"}'),
    form('API key with a blank', alnum(20), 'api key: '),
    form('pre-shared key', alnum(20), 'psk='),
    form('password of a bind', alnum(20), 'bindpw: '),
    form('password after an arrow', alnum(20), 'password -> '),
    form('entry with its value first', alnum(20), '{"value":"', '","name":"DB_PASSWORD"}'),
    form('login of curl with a blank', `${alnum(8)} ${alnum(8)}`, "curl -u 'bob:", "' https://example.com"),
  ];
}
