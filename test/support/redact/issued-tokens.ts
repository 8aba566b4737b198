import { ALNUM, BASE32, DIGITS, LOWER, UPPER, URL_SAFE } from './alphabets.ts';
import type { Random } from './random.ts';
import type { SecretSample } from './written-secrets.ts';

/** Returns tokens that services issue, which their forms give away. */
export function issuedTokens(random: Random): readonly SecretSample[] {
  const texts: Texts = {
    random,
    alnum: (length) => random.text(ALNUM, length),
    urlSafe: (length) => random.text(URL_SAFE, length - 1) + random.text(ALNUM, 1),
    hex: (length) => random.hex(length),
  };
  return [
    ...identityTokens(texts),
    ...forgeTokens(texts),
    ...chatTokens(texts),
    ...paymentTokens(texts),
    ...registryTokens(texts),
    ...cloudTokens(texts),
    ...modelTokens(texts),
    ...serviceTokens(texts),
    ...hashes(texts),
  ];
}

/** What tokens are made of; each function returns a text of that length. */
interface Texts {
  readonly random: Random;
  readonly alnum: (length: number) => string;
  readonly urlSafe: (length: number) => string;
  readonly hex: (length: number) => string;
}

/** The first piece is the head, which stays visible. */
function token(name: string, ...pieces: readonly string[]): SecretSample {
  const [head = '', ...rest] = pieces;
  const written = head + rest.join('');
  return { name, line: `sent ${written} to the server`, secrets: [rest.join('') || written] };
}

function jwt(urlSafe: Texts['urlSafe'], claims: object): string {
  return ['{"alg":"RS256","kid":"k1"}', JSON.stringify(claims)]
    .map((text) => Buffer.from(text).toString('base64url'))
    .concat(urlSafe(86))
    .join('.');
}

function awsPair(random: Random): SecretSample {
  const id = random.text(BASE32, 16);
  const secret = `aB${random.text(`${ALNUM}+/`, 38)}`;
  return {
    name: 'AWS pair of keys',
    line: `using AK${'IA'}${id} / ${secret} in eu-central-1`,
    secrets: [id, secret],
  };
}

function identityTokens({ random, alnum, urlSafe }: Texts): readonly SecretSample[] {
  return [
    token('AWS session token', 'FwoGZXIv', `YXdz${random.text(`${ALNUM}+/`, 300)}`),
    token('Facebook token', 'EA', `A${alnum(160)}`),
    token('X bearer token', '', `${'A'.repeat(21)}${random.text('BCDEFG12345', 1)}${alnum(70)}`),
    token('JSON web token', '', jwt(urlSafe, { sub: alnum(9), exp: random.below(2e9) })),
    token(
      'token of a service account',
      '',
      jwt(urlSafe, {
        iss: 'kubernetes/serviceaccount',
        'kubernetes.io': { namespace: 'shop', uid: random.uuid() },
      }),
    ),
    token('AWS access key ID', `AK${'IA'}`, random.text(BASE32, 16)),
    token('AWS temporary key ID', `AS${'IA'}`, random.text(BASE32, 16)),
    awsPair(random),
  ];
}

function forgeTokens({ alnum, urlSafe, hex }: Texts): readonly SecretSample[] {
  return [
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
  ];
}

function chatTokens({ random, alnum, urlSafe, hex }: Texts): readonly SecretSample[] {
  return [
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
  ];
}

function paymentTokens({ random, alnum, urlSafe, hex }: Texts): readonly SecretSample[] {
  return [
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
  ];
}

function registryTokens({ random, alnum, urlSafe, hex }: Texts): readonly SecretSample[] {
  return [
    token('npm token', `npm${'_'}`, alnum(36)),
    token('PyPI token', 'pypi-', `AgEIcHlwaS5vcmc${urlSafe(140)}`),
    token('RubyGems key', `rubygems${'_'}`, hex(48)),
    token('NuGet key', '', `oy2${random.text(LOWER + DIGITS, 43)}`),
    token('Docker Hub token', `dckr${'_pat_'}`, urlSafe(27)),
  ];
}

function cloudTokens({ random, alnum, urlSafe, hex }: Texts): readonly SecretSample[] {
  return [
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
  ];
}

function modelTokens({ random, alnum, urlSafe, hex }: Texts): readonly SecretSample[] {
  return [
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
  ];
}

function serviceTokens({ random, alnum, urlSafe, hex }: Texts): readonly SecretSample[] {
  return [
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
  ];
}

function hashes({ random, alnum }: Texts): readonly SecretSample[] {
  return [
    token('bcrypt hash', '', `$2b$12$${random.text(`${ALNUM}./`, 53)}`),
    token('crypt hash', '', `$6$${alnum(16)}$${random.text(`${ALNUM}./`, 86)}`),
    token(
      'Argon2 hash',
      '',
      `$argon2id$v=19$m=65536,t=3,p=4$${random.base64(16).replaceAll('=', '')}$${random.base64(32).replaceAll('=', '')}`,
    ),
  ];
}
