import { DIGITS, LOWER, mixedText } from './alphabets.ts';
import type { Random } from './random.ts';
import { form, type SecretSample } from './written-secrets.ts';

/** Returns secrets that the names before them give away. */
export function namedValues(random: Random): readonly SecretSample[] {
  const alnum = (length: number) => mixedText(random, length);
  const symbols = `${alnum(6)}${random.pick(['!', '#', '$', '%', '^', '*', '+', '~', '?'])}${alnum(4)}`;
  const texts: Texts = { random, alnum, symbols };
  return [
    ...assignments(texts),
    ...fieldsOfObjects(texts),
    ...keysOfPrograms(texts),
    ...connectionStrings(texts),
    ...configurations(texts),
  ];
}

interface Texts {
  readonly random: Random;
  /** Returns a text of that length with a letter and a digit. */
  readonly alnum: (length: number) => string;
  /** A password with a symbol. */
  readonly symbols: string;
}

function named(name: string, secret: string, before: string, after = ''): SecretSample {
  return form(name, secret, `login ${before}`, after);
}

function assignments({ random, alnum, symbols }: Texts): readonly SecretSample[] {
  return [
    named('password=', symbols, 'user=bob password=', ' host=db'),
    named('password of letters only', random.text(LOWER, 9), 'password=', ' next=1'),
    named('pass=', alnum(7), 'pass='),
    named('pw:', alnum(7), 'pw: '),
    named('secret key base', random.hex(128), 'SECRET_KEY_BASE='),
    named('application key', `base64:${random.base64(32)}`, 'APP_KEY='),
    named('passwd:', alnum(8), 'passwd: '),
    named('environment variable', symbols, 'export DB_PASSWORD='),
    named('environment variable of a secret key', random.base64(30), 'AWS_SECRET_ACCESS_KEY='),
    named('secret key in words', random.hex(32), 'secret key: '),
    named('environment variable of a token', alnum(32), 'VAULT_TOKEN='),
  ];
}

function fieldsOfObjects({ alnum, symbols }: Texts): readonly SecretSample[] {
  return [
    named('JSON password', symbols, '{"user":"bob","password":"', '","port":5432}'),
    named('JSON with spaces', alnum(14), '{ "clientSecret" : "', '" }'),
    named('escaped JSON', alnum(14), String.raw`body={\"apiKey\":\"`, String.raw`\",\"n\":1}`),
    named('Python dictionary', alnum(14), "{'password': '", "', 'port': 1}"),
    named('Ruby hash', alnum(12), '{:password=>"', '"}'),
    named('Go struct', alnum(12), '{User:bob Password:', ' Port:5432}'),
    named('Go map', alnum(12), 'map[password:', ' user:bob]'),
  ];
}

function keysOfPrograms({ random, alnum }: Texts): readonly SecretSample[] {
  return [
    named('camel case', alnum(24), 'dbPassword='),
    named('pass at the end of a name', alnum(8), 'dbpass='),
    named('token at the end of a name', alnum(12), 'gittoken='),
    named('secret at the end of a name', alnum(12), '"appsecret":"', '"'),
    named('credentials at the end of a name', alnum(12), 'awscreds='),
    named('csrf token', alnum(32), 'csrfToken='),
    named('api key', alnum(32), 'api_key='),
    named('api-key', random.hex(32), 'api-key: '),
    named('Datadog key', random.hex(32), 'DD_API_KEY='),
    named('refresh token', alnum(40), '"refresh_token":"', '"'),
    named('token of a UUID', random.uuid(), 'access_token='),
  ];
}

function connectionStrings({ random, alnum, symbols }: Texts): readonly SecretSample[] {
  return [
    named(
      'Azure storage key',
      random.base64(64),
      'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=',
      ';EndpointSuffix=core.windows.net',
    ),
    named(
      'Azure SAS',
      encodeURIComponent(random.base64(32)),
      'https://shop.blob.core.windows.net/c/f?sv=2024-01-01&se=2026-12-01&sig=',
      '&sp=r',
    ),
    named(
      'Service Bus key',
      random.base64(32),
      'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=',
    ),
    named('ADO connection string', symbols, 'Server=db;Database=shop;User Id=sa;Password=', ';Encrypt=true'),
    named('JDBC', alnum(12), 'jdbc:postgresql://db:5432/shop?user=bob&password=', '&ssl=true'),
    named('form body', alnum(12), 'POST body: user=bob&password=', '&remember=1'),
  ];
}

function configurations({ random, alnum }: Texts): readonly SecretSample[] {
  return [
    named('npm configuration', random.uuid(), '//registry.npmjs.org/:_authToken='),
    named(
      'registry login',
      Buffer.from(`bob:${alnum(16)}`).toString('base64'),
      '{"auths":{"ghcr.io":{"auth":"',
      '"}}}',
    ),
    named('kubeconfig token', alnum(48), 'token: '),
    named('client key data', random.base64(120), 'client-key-data: '),
    named(
      'bootstrap token',
      `${random.text(LOWER + DIGITS, 6)}.${random.text(LOWER + DIGITS, 16)}`,
      'kubeadm join 10.0.0.1:6443 --token ',
      ' --x',
    ),
    named(
      'signed URL of AWS',
      random.hex(64),
      'https://b.s3.amazonaws.com/k?X-Amz-Expires=300&X-Amz-Signature=',
    ),
    named(
      'private key ID in JSON',
      `${random.base64(60)}`,
      '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\n',
      '\\n-----END PRIVATE KEY-----\\n"}',
    ),
    named('one-time code', random.text(DIGITS, 6), 'otp='),
    named('placeholder beside it', alnum(10), 'old_password=*** new_password='),
  ];
}
