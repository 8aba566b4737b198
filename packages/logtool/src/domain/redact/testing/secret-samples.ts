import type { Random } from './random.ts';
import { type SecretSample, writtenSecrets } from './written-secrets.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALNUM = LOWER + UPPER + DIGITS;
const URL_SAFE = `${ALNUM}_-`;
const BASE32 = `${UPPER}234567`;

/** Returns one secret of each kind. Fixed texts are split, so that no scanner takes this file for a leak. */
export function secretSamples(random: Random): readonly SecretSample[] {
  return [
    ...issuedTokens(random),
    ...namedValues(random),
    ...credentialForms(random),
    ...writtenSecrets(random),
  ];
}

function issuedTokens(random: Random): readonly SecretSample[] {
  const alnum = (length: number) => random.text(ALNUM, length);
  const urlSafe = (length: number) => random.text(URL_SAFE, length - 1) + random.text(ALNUM, 1);
  const hex = (length: number) => random.hex(length);
  const token = (name: string, ...pieces: readonly string[]): SecretSample => {
    const [head = '', ...rest] = pieces;
    const written = head + rest.join('');
    return { name, line: `sent ${written} to the server`, secrets: [rest.join('') || written] };
  };
  const jwt = (claims: object) =>
    ['{"alg":"RS256","kid":"k1"}', JSON.stringify(claims)]
      .map((text) => Buffer.from(text).toString('base64url'))
      .concat(urlSafe(86))
      .join('.');
  return [
    token('AWS session token', 'FwoGZXIv', `YXdz${random.text(`${ALNUM}+/`, 300)}`),
    token('Facebook token', 'EA', `A${alnum(160)}`),
    token('X bearer token', '', `${'A'.repeat(21)}${random.text('BCDEFG12345', 1)}${alnum(70)}`),
    token('JSON web token', '', jwt({ sub: alnum(9), exp: random.below(2e9) })),
    token(
      'token of a service account',
      '',
      jwt({ iss: 'kubernetes/serviceaccount', 'kubernetes.io': { namespace: 'shop', uid: random.uuid() } }),
    ),
    token('AWS access key ID', `AK${'IA'}`, random.text(BASE32, 16)),
    token('AWS temporary key ID', `AS${'IA'}`, random.text(BASE32, 16)),
    {
      name: 'AWS pair of keys',
      line: `using AK${'IA'}${random.text(BASE32, 16)} / aB${random.text(`${ALNUM}+/`, 38)} in eu-central-1`,
      secrets: [],
    },
    token('GitHub personal token', `gh${'p_'}`, alnum(36)),
    token('GitHub OAuth token', `gh${'o_'}`, alnum(36)),
    token('GitHub app token', `gh${'s_'}`, alnum(36)),
    token('GitHub refresh token', `gh${'r_'}`, alnum(76)),
    token('GitHub fine-grained token', `github${'_pat_'}`, `${alnum(22)}_${alnum(59)}`),
    token('GitLab personal token', `gl${'pat-'}`, urlSafe(20)),
    token('GitLab routable token', `gl${'pat-'}`, `${urlSafe(27)}.01.${alnum(9)}`),
    token('GitLab deploy token', `gl${'dt-'}`, urlSafe(20)),
    token('GitLab runner token', `gl${'rt-'}`, urlSafe(20)),
    token('GitLab job token', `gl${'cbt-'}`, `${hex(2)}_${urlSafe(20)}`),
    token(
      'Slack bot token',
      `xo${'xb-'}`,
      `${random.text(DIGITS, 12)}-${random.text(DIGITS, 12)}-${alnum(24)}`,
    ),
    token(
      'Slack user token',
      `xo${'xp-'}`,
      `${random.text(DIGITS, 12)}-${random.text(DIGITS, 12)}-${random.text(DIGITS, 12)}-${hex(32)}`,
    ),
    token(
      'Slack app token',
      `xa${'pp-'}`,
      `1-A${random.text(UPPER + DIGITS, 10)}-${random.text(DIGITS, 13)}-${hex(64)}`,
    ),
    token(
      'Slack webhook',
      'https://hooks.slack.com/services/',
      `T${random.text(UPPER, 8)}/B${random.text(UPPER, 8)}/${alnum(24)}`,
    ),
    token(
      'Discord webhook',
      'https://discord.com/api/webhooks/',
      `${random.text(DIGITS, 18)}/${urlSafe(68)}`,
    ),
    token('Discord bot token', '', `M${alnum(23)}.${alnum(6)}.${alnum(27)}`),
    token('Telegram bot token', '', `${random.text('123456789', 10)}:AA${urlSafe(33)}`),
    token('Stripe secret key', `sk${'_live_'}`, alnum(24)),
    token('Stripe restricted key', `rk${'_live_'}`, alnum(99)),
    token('Stripe test key', `sk${'_test_'}`, alnum(24)),
    token('Stripe webhook secret', `wh${'sec_'}`, alnum(32)),
    token('Square token', `sq0${'atp-'}`, urlSafe(22)),
    token('Shopify token', `sh${'pat_'}`, hex(32)),
    token('Twilio key', 'S', `K${hex(32)}`),
    token('SendGrid key', 'SG', `.${urlSafe(22)}.${urlSafe(43)}`),
    token('Mailgun key', 'key', `-${hex(32)}`),
    token('Mailchimp key', '', `${hex(32)}-us${random.below(20) + 1}`),
    token('npm token', `npm${'_'}`, alnum(36)),
    token('PyPI token', 'pypi-', `AgEIcHlwaS5vcmc${urlSafe(140)}`),
    token('RubyGems key', `rubygems${'_'}`, hex(48)),
    token('NuGet key', '', `oy2${random.text(LOWER + DIGITS, 43)}`),
    token('Docker Hub token', `dckr${'_pat_'}`, urlSafe(27)),
    token('Google API key', `AI${'za'}`, urlSafe(35)),
    token('Google OAuth token', `ya${'29.'}`, `a0Af${urlSafe(120)}`),
    token('Google client secret', `GOC${'SPX-'}`, urlSafe(28)),
    token(
      'Azure client secret',
      '',
      `${alnum(3)}${random.below(10)}Q~${random.text(`${ALNUM}_~.-`, 31)}${alnum(3)}`,
    ),
    token('DigitalOcean token', `do${'p_v1_'}`, hex(64)),
    token('Heroku key', `HR${'KU-'}`, `AA${urlSafe(58)}`),
    token('OpenAI project key', `sk-${'proj-'}`, urlSafe(74)),
    token('OpenAI key', 'sk-', alnum(48)),
    token('Anthropic key', `sk-${'ant-'}`, `api03-${urlSafe(93)}AA`),
    token('Hugging Face token', `hf${'_'}`, random.text(LOWER + UPPER, 34)),
    token('Databricks token', 'da', `pi${hex(32)}`),
    token('Grafana service account token', `gl${'sa_'}`, `${alnum(32)}_${hex(8)}`),
    token('New Relic key', `NR${'AK-'}`, random.text(UPPER + DIGITS, 27)),
    token('Sentry token', `sn${'trys_'}`, random.base64(60).replaceAll('=', '')),
    token('Vault token', `hv${'s.'}`, `CAES${urlSafe(90)}`),
    token('Terraform Cloud token', '', `${alnum(14)}.atlas${'v1.'}${urlSafe(67)}`),
    token('Pulumi token', 'pul-', hex(40)),
    token('Linear key', `lin_${'api_'}`, alnum(40)),
    token('Postman key', `PM${'AK-'}`, `${hex(24)}-${hex(34)}`),
    token('Figma token', `fi${'gd_'}`, urlSafe(40)),
    token('Atlassian token', `ATA${'TT3x'}`, `FfGF0${urlSafe(180)}=${random.text(UPPER + DIGITS, 8)}`),
    token('Doppler token', 'dp.', `pt.${alnum(43)}`),
    token('age key', `AGE-SECRET-${'KEY-1'}`, random.text('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)),
    token('Tailscale key', `ts${'key-'}`, `auth-${alnum(12)}CNTRL-${alnum(32)}`),
    token('OpenRouter key', `sk-or${'-v1-'}`, hex(64)),
    token('xAI key', `xa${'i-'}`, alnum(80)),
    token('LangSmith key', `lsv2${'_pt_'}`, `${hex(32)}_${hex(10)}`),
    token('Netlify token', `nf${'p_'}`, alnum(36)),
    token('Razorpay key', `rzp${'_live_'}`, alnum(14)),
    token('Contentful token', `CFP${'AT-'}`, urlSafe(43)),
    token('Buildkite token', `bk${'ua_'}`, hex(40)),
    token('Firebase server key', '', `AAAA${alnum(7)}:APA91b${urlSafe(134)}`),
    token('Plaid token', `access${'-production-'}`, random.uuid()),
    token('LaunchDarkly key', `sd${'k-'}`, random.uuid()),
    token('bcrypt hash', '', `$2b$12$${random.text(`${ALNUM}./`, 53)}`),
    token('crypt hash', '', `$6$${alnum(16)}$${random.text(`${ALNUM}./`, 86)}`),
    token(
      'Argon2 hash',
      '',
      `$argon2id$v=19$m=65536,t=3,p=4$${random.base64(16).replaceAll('=', '')}$${random.base64(32).replaceAll('=', '')}`,
    ),
  ].map((sample) =>
    sample.name === 'AWS pair of keys'
      ? { ...sample, secrets: sample.line.match(/(?<=AKIA)\w{16}|(?<=\/ )\S{40}/g) ?? [] }
      : sample,
  );
}

function namedValues(random: Random): readonly SecretSample[] {
  const alnum = (length: number) =>
    `${random.text(LOWER, 1)}${random.text(DIGITS, 1)}${random.text(ALNUM, length - 2)}`;
  const named = (name: string, secret: string, before: string, after = ''): SecretSample => ({
    name,
    line: `login ${before}${secret}${after}`,
    secrets: [secret],
  });
  const symbols = `${alnum(6)}${random.pick(['!', '#', '$', '%', '^', '*', '+', '~', '?'])}${alnum(4)}`;
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
    named('environment variable of a token', alnum(32), 'VAULT_TOKEN='),
    named('JSON password', symbols, '{"user":"bob","password":"', '","port":5432}'),
    named('JSON with spaces', alnum(14), '{ "clientSecret" : "', '" }'),
    named('escaped JSON', alnum(14), String.raw`body={\"apiKey\":\"`, String.raw`\",\"n\":1}`),
    named('Python dictionary', alnum(14), "{'password': '", "', 'port': 1}"),
    named('Ruby hash', alnum(12), '{:password=>"', '"}'),
    named('Go struct', alnum(12), '{User:bob Password:', ' Port:5432}'),
    named('Go map', alnum(12), 'map[password:', ' user:bob]'),
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

function credentialForms(random: Random): readonly SecretSample[] {
  const alnum = (length: number) =>
    `${random.text(LOWER, 1)}${random.text(DIGITS, 1)}${random.text(ALNUM, length - 2)}`;
  const form = (name: string, secret: string, before: string, after = ''): SecretSample => ({
    name,
    line: `${before}${secret}${after}`,
    secrets: [secret],
  });
  const login = Buffer.from(`bob:${alnum(12)}`).toString('base64');
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
    form('cookie', alnum(32), 'Cookie: theme=dark; session='),
    form('set-cookie', alnum(32), 'Set-Cookie: sid=', '; Path=/; HttpOnly'),
    form('cookie among settings', alnum(24), 'Cookie: lang=en; theme=dark, auth=', '; tz=UTC'),
    form('short cookie of a session', alnum(5), 'Cookie: session='),
    form('session cookie', random.text(UPPER + DIGITS, 32), 'redirect to /shop;JSESSIONID='),
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
    form('flag', alnum(12), 'exec: app --port 1 --password ', ' --verbose'),
    form('flags of a container', alnum(12), 'args: ["--port","1","--db-password","', '"]'),
    form('docker login', alnum(12), 'docker login -u bob -p ', ' ghcr.io'),
    form('ldapsearch', alnum(12), 'ldapsearch -D cn=admin -w ', ' -b dc=x'),
    form('curl', alnum(12), 'run curl -s -u bob:', ' https://x.example'),
    form('mysql', alnum(12), 'run mysqldump -u root -p', ' shop'),
    form('PGPASSWORD', alnum(12), 'PGPASSWORD=', ' psql -h db'),
    form('netrc', alnum(12), 'machine github.com login bob password '),
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
