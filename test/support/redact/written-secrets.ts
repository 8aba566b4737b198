import { ALNUM, DIGITS, LOWER, UPPER } from './alphabets.ts';
import type { Random } from './random.ts';

export interface SecretSample {
  readonly name: string;
  readonly line: string;
  /** The texts to hide. */
  readonly secrets: readonly string[];
  /** It has quotes, or reaches to the end of its line: tests use it only as lines of its own. */
  readonly isWholeLine?: boolean;
}

/** Returns a secret between two texts of its line. */
export function form(name: string, secret: string, before: string, after = ''): SecretSample {
  return { name, line: `${before}${secret}${after}`, secrets: [secret] };
}

/** Returns secrets as programs print their environment, headers, arguments and objects. */
export function writtenSecrets(random: Random): readonly SecretSample[] {
  const alnum = (length: number) =>
    `${random.text(LOWER, 1)}${random.text(DIGITS, 1)}${random.text(UPPER, 1)}${random.text(ALNUM, length - 3)}`;
  const withSign = (sign: string) => `${alnum(6)}${sign}${alnum(7)}`;
  return [
    ...entries(alnum),
    ...objects(alnum),
    ...headers(alnum),
    ...commands(alnum),
    ...['&', ';', '<', '>', '"', "'", '`', '|', ':', ',', '@', '/', '(', ')', '{', '=', '#', '~', '%'].map(
      (sign) => form(`password with ${sign}`, withSign(sign), 'started with DB_PASSWORD=', ' host=db'),
    ),
    form('password with & in a query', withSign('&'), 'POST body: user=bob&password=', '&remember=1'),
    form('password with ; among settings', withSign(';'), 'Server=db;Password=', ';Encrypt=true'),
    form('password with ; in a URL', withSign(';'), 'postgres://shop:', '@db.shop.svc:5432/orders'),
    form('password with a quote in a URL', withSign('"'), 'redis://:', '@cache:6379/0'),
    form('DSN of MySQL', alnum(10), 'root:', '@tcp(db:3306)/shop?parseTime=true'),
    form('DSN of MySQL with signs', `${alnum(5)}@:/${alnum(6)}`, 'shop:', '@tcp(db:3306)/shop'),
    form('DSN of MySQL by a socket', alnum(10), 'root:', '@unix(/run/mysqld/mysqld.sock)/shop'),
    form('DSN of Oracle', alnum(10), 'connect shop/', '@//db:1521/orders'),
    form('JDBC of Oracle', alnum(10), 'jdbc:oracle:thin:shop/', '@db:1521:orders'),
    form('password in German', alnum(9), 'Passwort: '),
    form('password in Spanish', alnum(9), 'contrase\u00f1a='),
    form('password in Portuguese', alnum(9), 'senha='),
    form('password in French', alnum(9), 'mot_de_passe='),
    form('short name of a password', alnum(9), 'pswd='),
    form('bearer as a name', alnum(30), 'bearer='),
    form('token without a sign', alnum(30), 'sent token '),
    form('password of a user', alnum(12), 'Password for user bob: '),
    form('password that was set', alnum(12), 'setting DB_PASSWORD to '),
    form('token in a fragment', alnum(30), 'https://shop.example/done#access_token=', '&type=x'),
    form('token in a path', alnum(30), 'GET /password/reset/', ' 200'),
  ];
}

type Alnum = (length: number) => string;

function entries(alnum: Alnum): readonly SecretSample[] {
  return [
    form('entry of an environment', alnum(11), 'env: [{"name":"DB_PASSWORD","value":"', '"}]'),
    form('entry with spaces', alnum(11), '{"name": "DB_PASSWORD", "value": "', '"}'),
    form('entry with a field between', alnum(20), '{"name":"API_TOKEN","valueFrom":null,"value":"', '"}'),
    form('entry with capitals', alnum(14), '{"Key":"DB_PASSWORD","Value":"', '"}'),
    form('entry of Go', alnum(11), '&EnvVar{Name:DB_PASSWORD,Value:', ',ValueFrom:nil,}'),
    form('entry of a Go struct', alnum(11), '{Name:DB_PASSWORD Value:', ' ValueFrom:nil}'),
    form('entry of Python', alnum(11), "{'name': 'API_KEY', 'value': '", "'}"),
    form('entry in lines', alnum(11), 'name: AUTH_SECRET value: '),
    form('entry of XML', alnum(11), '<add key="SmtpPassword" value="', '" />'),
  ];
}

function objects(alnum: Alnum): readonly SecretSample[] {
  return [
    form('object of a password', alnum(14), '"password":{"value":"', '"}'),
    form(
      'object of a password with more',
      alnum(14),
      '{"password":{"type":"plain","value":"',
      '"},"user":"bob"}',
    ),
    form('password before and after', alnum(14), '"password":{"old":"x","new":"', '"}'),
    form('list of passwords', alnum(14), '"passwords":["', '"]'),
    form('list of two passwords', alnum(14), '"passwords":["first", "', '"]'),
    form('list of one password', alnum(14), 'password = ["', '"]'),
    form('values of a form in Go', alnum(14), 'map[password:[', '] user:[bob]]'),
    form('cookies of Python', alnum(24), "cookies={'theme': 'dark', 'sessionid': '", "'}"),
    form('cookies of Express', alnum(24), '"cookies":{"sid":"', '"}'),
  ];
}

function headers(alnum: Alnum): readonly SecretSample[] {
  return [
    form('headers of Node.js', alnum(24), "rawHeaders: [ 'Host', 'web', 'X-Api-Key', '", "' ]"),
    form('headers of ASGI', alnum(24), "headers=[(b'host', b'x'), (b'x-api-key', b'", "')]"),
    form('cookie in a tuple', alnum(24), "[('cookie', 'session=", "')]"),
    form('authorization in a list', alnum(24), '["Authorization","ApiKey ', '"]'),
    form('authorization in a tuple', alnum(24), "('Authorization', 'Bearer ", "')"),
    form('password in a tuple', alnum(12), "[('user', 'bob'), ('password', '", "')]"),
  ];
}

function commands(alnum: Alnum): readonly SecretSample[] {
  return [
    form('keytool', alnum(10), 'keytool -list -storepass ', ' -alias web'),
    form('keytool with a key', alnum(10), 'keytool -genkey -keypass ', ' -alias web'),
    form('openssl', alnum(10), 'openssl rsa -passin pass:', ' -in key.pem'),
    form('mongosh', alnum(10), 'mongosh -u root -p ', ' --quiet'),
    form('mongodump', alnum(10), 'mongodump -u root -p', ' --db shop'),
    form('sqlcmd', alnum(10), 'sqlcmd -S db -U sa -P ', ' -Q x'),
    form('sqlplus', alnum(10), 'sqlplus -s shop/', '@orders'),
    form('htpasswd', alnum(10), 'htpasswd -bc /etc/nginx/users bob '),
    form('etcdctl', alnum(10), 'etcdctl --user root:', ' get /'),
    form('rabbitmqctl', alnum(10), 'rabbitmqctl change_password shop '),
    form('HTTPie', alnum(10), 'http --auth bob:', ' https://x.example'),
    form('literal of a Secret', alnum(12), 'kubectl create secret generic x --from-literal=key='),
    form('vault', alnum(12), 'vault kv put secret/shop key='),
    form('docker login by a pipe', alnum(12), 'echo ', ' | docker login -u bob --password-stdin'),
  ];
}
