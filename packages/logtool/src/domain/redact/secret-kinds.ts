/** A range of a text to hide, in UTF-16 units. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** `github-token` */
  readonly kind: string;
}

/** A secret recognizable by its own form. */
interface SecretKind {
  readonly kind: string;
  /** Every text with the secret contains one of these, in lowercase. Most lines contain none of them. */
  readonly hints: readonly string[];
  /**
   * Global. Every repetition is bounded, so that a search takes time in proportion to the text. The group `keep` is not
   * masked.
   */
  readonly pattern: RegExp;
}

/** No letter or digit before it: it is not part of a longer name. */
const HEAD = '(?<![A-Za-z0-9])';
/** No letter or digit after it. */
const TAIL = '(?![A-Za-z0-9])';

/** Returns the kind of a token that begins with a fixed text. */
function prefixed(kind: string, prefix: string, body: string): SecretKind {
  return {
    kind,
    hints: [prefix.toLowerCase()],
    pattern: new RegExp(`${HEAD}${escaped(prefix)}${body}`, 'g'),
  };
}

function matching(kind: string, hints: readonly string[], pattern: RegExp): SecretKind {
  return { kind, hints, pattern };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const ALNUM = (min: number, max = 512) => `[A-Za-z0-9]{${min},${max}}`;
const NAME = (min: number, max = 512) => `[A-Za-z0-9_]{${min},${max}}`;
const URL_SAFE = (min: number, max = 2048) => `[A-Za-z0-9_-]{${min},${max}}`;

/**
 * Forms of secrets, as their issuers document them and secret scanners recognize them:
 * https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
export const SECRET_KINDS: readonly SecretKind[] = [
  // A service account of Kubernetes, OIDC, Azure AD and many others.
  matching(
    'json-web-token',
    ['eyj'],
    new RegExp(`${HEAD}eyJ${URL_SAFE(8, 8192)}\\.${URL_SAFE(2, 8192)}(?:\\.[A-Za-z0-9_-]{0,8192}){0,3}`, 'g'),
  ),
  matching(
    'aws-access-key',
    ['akia', 'asia', 'abia', 'acca'],
    new RegExp(`${HEAD}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}${TAIL}`, 'g'),
  ),
  matching(
    'aws-access-key',
    ['bedrock-api-key-', 'absk'],
    new RegExp(`${HEAD}(?:bedrock-api-key-|ABSK)[A-Za-z0-9+/=]{40,2048}`, 'g'),
  ),
  matching(
    'aws-session-token',
    ['fwogzxivyxdz', 'iqojb3jpz2lu'],
    new RegExp(`${HEAD}(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/]{50,4096}={0,2}`, 'g'),
  ),
  matching('facebook-token', ['eaa'], new RegExp(`${HEAD}EAA[A-Za-z0-9]{80,512}${TAIL}`, 'g')),
  matching(
    'x-bearer-token',
    ['aaaaaaaaaaaaaaaaaaaa'],
    new RegExp(`${HEAD}A{20,22}(?!A)[A-Za-z0-9%]{40,160}`, 'g'),
  ),
  prefixed('google-api-key', 'AIza', URL_SAFE(35, 35)),
  prefixed('google-oauth-token', 'ya29.', '[A-Za-z0-9_.-]{20,2048}'),
  prefixed('google-oauth-token', '1//0', URL_SAFE(40)),
  prefixed('google-client-secret', 'GOCSPX-', URL_SAFE(20, 64)),
  matching(
    'azure-client-secret',
    ['q~'],
    new RegExp(`${HEAD}[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}`, 'g'),
  ),
  // Storage, Service Bus, Event Hubs, IoT Hub, Cosmos DB: 32 or 64 bytes.
  matching(
    'azure-key',
    ['accountkey=', 'sharedaccesskey=', 'sharedaccesskey"'],
    /(?<keep>(?:AccountKey|SharedAccessKey)["']?[=:]["']?)[A-Za-z0-9+/]{20,100}={0,2}/gi,
  ),
  matching(
    'signature-in-a-url',
    ['sig=', 'signature='],
    /(?<keep>[?&;](?:sig|signature|x-amz-signature|x-goog-signature)=)[^\s&"'<>]{8,1024}/gi,
  ),
  matching(
    'aws-session-token',
    ['x-amz-security-token='],
    /(?<keep>x-amz-security-token=)[^\s&"'<>]{8,4096}/gi,
  ),
  matching(
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    new RegExp(`${HEAD}gh[pousr]_${NAME(20)}`, 'g'),
  ),
  prefixed('github-token', 'github_pat_', NAME(20)),
  matching(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glsoat-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glffct-',
    ],
    new RegExp(`${HEAD}gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{16,512}`, 'g'),
  ),
  prefixed('gitlab-token', 'GR1348941', URL_SAFE(20, 64)),
  matching(
    'bitbucket-token',
    ['atbb', 'atctt3x'],
    new RegExp(`${HEAD}(?:ATBB|ATCTT3x)[A-Za-z0-9_=-]{24,512}`, 'g'),
  ),
  prefixed('atlassian-token', 'ATATT3x', '[A-Za-z0-9_=-]{20,512}'),
  matching(
    'slack-token',
    ['xox', 'xapp-', 'xwfp-'],
    new RegExp(`${HEAD}(?:xox[abceoprs](?:[.-][A-Za-z0-9]+){0,1}|xapp|xwfp)-[A-Za-z0-9-]{10,512}`, 'g'),
  ),
  matching(
    'slack-webhook',
    ['hooks.slack.com/'],
    /(?<keep>hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9_/-]{10,256}/g,
  ),
  matching(
    'discord-webhook',
    ['/api/webhooks/'],
    /(?<keep>discord(?:app)?\.com\/api\/webhooks\/)[0-9]{10,25}\/[A-Za-z0-9_-]{20,128}/g,
  ),
  matching(
    'discord-token',
    ['.'],
    new RegExp(`${HEAD}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}`, 'g'),
  ),
  matching(
    'teams-webhook',
    ['webhook.office.com/'],
    /(?<keep>webhook\.office\.com\/webhookb2\/)[A-Za-z0-9@/-]{36,256}/g,
  ),
  matching('telegram-token', [':aa'], new RegExp(`${HEAD}[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}${TAIL}`, 'g')),
  matching('telegram-token', ['/bot'], /(?<keep>\/bot)[0-9]{8,10}:[A-Za-z0-9_-]{30,40}/g),
  matching('stripe-key', ['k_live_', 'k_test_'], new RegExp(`${HEAD}[spr]k_(?:live|test)_${ALNUM(10)}`, 'g')),
  prefixed('webhook-signing-secret', 'whsec_', '[A-Za-z0-9+/=]{16,128}'),
  matching(
    'square-token',
    ['sq0', 'eaaa'],
    new RegExp(`${HEAD}(?:sq0(?:atp|csp|idp)-${URL_SAFE(22, 64)}|EAAA[A-Za-z0-9_-]{56,70}${TAIL})`, 'g'),
  ),
  prefixed('braintree-token', 'access_token$', '(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}'),
  matching(
    'shopify-token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    new RegExp(`${HEAD}shp(?:at|ca|pa|ss)_[A-Za-z0-9]{24,64}`, 'g'),
  ),
  matching('twilio-key', ['sk'], new RegExp(`${HEAD}SK[0-9a-f]{32}${TAIL}`, 'g')),
  prefixed('sendgrid-key', 'SG.', `${URL_SAFE(16, 32)}\\.${URL_SAFE(32, 64)}`),
  // Keys of caches and tags of entities may be written like that.
  matching(
    'mailgun-key',
    ['key-'],
    new RegExp(
      `(?<!(?:etag|checksum|cache|digest|hash|md5)["':= ]{1,3})${HEAD}key-[0-9a-f]{32}${TAIL}`,
      'gi',
    ),
  ),
  matching('mailchimp-key', ['-us'], new RegExp(`${HEAD}[0-9a-f]{32}-us[0-9]{1,2}${TAIL}`, 'g')),
  matching(
    'brevo-key',
    ['xkeysib-', 'xsmtpsib-'],
    new RegExp(`${HEAD}(?:xkeysib|xsmtpsib)-[0-9a-f]{32,64}-${ALNUM(8, 32)}`, 'g'),
  ),
  prefixed('netlify-token', 'nfp_', ALNUM(30, 64)),
  matching('razorpay-key', ['rzp_'], new RegExp(`${HEAD}rzp_(?:live|test)_[A-Za-z0-9]{14,32}`, 'g')),
  prefixed('contentful-token', 'CFPAT-', URL_SAFE(30, 64)),
  prefixed('buildkite-token', 'bkua_', '[0-9a-f]{40}'),
  // A server key of Firebase Cloud Messaging.
  matching(
    'firebase-key',
    [':apa91b'],
    new RegExp(`${HEAD}[A-Za-z0-9_-]{7,32}:APA91b${URL_SAFE(80, 256)}`, 'g'),
  ),
  matching(
    'plaid-token',
    ['access-'],
    new RegExp(`${HEAD}access-(?:production|development|sandbox)-[0-9a-f-]{36}`, 'g'),
  ),
  matching(
    'launchdarkly-key',
    ['sdk-', 'mob-', 'api-'],
    new RegExp(
      `${HEAD}(?:sdk|mob|api)-[0-9a-f]{8}-[0-9a-f]{4}-4?[0-9a-f]{3,4}-[0-9a-f]{4}-[0-9a-f]{12}${TAIL}`,
      'g',
    ),
  ),
  prefixed('npm-token', 'npm_', ALNUM(30, 64)),
  prefixed('pypi-token', 'pypi-', URL_SAFE(40)),
  matching('nuget-key', ['oy2'], new RegExp(`${HEAD}oy2[a-z0-9]{43}${TAIL}`, 'g')),
  prefixed('rubygems-key', 'rubygems_', '[0-9a-f]{40,64}'),
  matching('crates-io-token', ['cio'], new RegExp(`${HEAD}cio[A-Za-z0-9]{32}${TAIL}`, 'g')),
  matching(
    'docker-hub-token',
    ['dckr_pat_', 'dckr_oat_'],
    new RegExp(`${HEAD}dckr_[po]at_${URL_SAFE(20, 64)}`, 'g'),
  ),
  // A registry's login: `"auth": "base64 of user:password"`.
  matching(
    'registry-credentials',
    ['"auth'],
    /(?<keep>\\?"auth\\?"\s{0,4}:\s{0,4}\\?")[A-Za-z0-9+/_-]{8,4096}={0,2}/g,
  ),
  matching('digitalocean-token', ['_v1_'], new RegExp(`${HEAD}do[opr]_v1_[0-9a-f]{40,64}`, 'g')),
  prefixed('heroku-key', 'HRKU-', URL_SAFE(30, 80)),
  prefixed('fly-io-token', 'FlyV1 ', '[A-Za-z0-9_+/=,-]{20,2048}'),
  matching(
    'fly-io-token',
    ['fm1', 'fo1_'],
    new RegExp(`${HEAD}(?:fm1[ar]_|fm2_|fo1_)[A-Za-z0-9_+/=-]{20,2048}`, 'g'),
  ),
  prefixed('planetscale-token', 'pscale_', '(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{20,80}'),
  prefixed('supabase-key', 'sbp_', '[0-9a-f]{32,64}'),
  prefixed('supabase-key', 'sb_secret_', URL_SAFE(16, 64)),
  prefixed('openrouter-key', 'sk-or-v1-', '[0-9a-f]{32,128}'),
  prefixed('xai-key', 'xai-', ALNUM(40, 128)),
  matching(
    'langsmith-key',
    ['lsv2_'],
    new RegExp(`${HEAD}lsv2_(?:pt|sk)_[0-9a-f]{32}(?:_[0-9a-f]{6,16})?`, 'g'),
  ),
  prefixed('anthropic-key', 'sk-ant-', URL_SAFE(16, 256)),
  matching(
    'openai-key',
    ['sk-'],
    new RegExp(`${HEAD}sk-(?:(?:proj|svcacct|admin|None)-${URL_SAFE(20, 256)}|${ALNUM(32, 64)}${TAIL})`, 'g'),
  ),
  matching(
    'hugging-face-token',
    ['hf_', 'api_org_'],
    new RegExp(`${HEAD}(?:hf|api_org)_[A-Za-z]{30,40}${TAIL}`, 'g'),
  ),
  matching('replicate-token', ['r8_'], new RegExp(`${HEAD}r8_[A-Za-z0-9]{30,45}${TAIL}`, 'g')),
  matching('groq-key', ['gsk_'], new RegExp(`${HEAD}gsk_[A-Za-z0-9]{40,60}`, 'g')),
  matching('databricks-token', ['dapi'], new RegExp(`${HEAD}dapi[0-9a-f]{32}(?:-\\d)?${TAIL}`, 'g')),
  matching(
    'grafana-token',
    ['glsa_', 'glc_'],
    new RegExp(`${HEAD}(?:glsa_[A-Za-z0-9]{24,40}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,400})`, 'g'),
  ),
  matching(
    'new-relic-key',
    ['nrak-', 'nrii-', 'nrjs-', 'nral', 'nraa-'],
    new RegExp(`${HEAD}NR(?:AK|II|JS|RA|AA)-[A-Za-z0-9_-]{16,64}`, 'g'),
  ),
  matching('new-relic-key', ['nral'], new RegExp(`${HEAD}[0-9a-f]{32,40}NRAL${TAIL}`, 'g')),
  matching(
    'sentry-token',
    ['sntrys_', 'sntryu_'],
    new RegExp(`${HEAD}sntry[su]_[A-Za-z0-9+/=_]{32,512}`, 'g'),
  ),
  matching('sentry-dsn', ['ingest', 'sentry'], /(?<keep>https?:\/\/)[0-9a-f]{32}(?::[0-9a-f]{32})?(?=@)/g),
  prefixed('honeycomb-key', 'hcaik_', ALNUM(30, 80)),
  matching('pagerduty-key', ['pdus+'], new RegExp(`${HEAD}pdus\\+_[A-Za-z0-9+_-]{16,64}`, 'g')),
  matching(
    'vault-token',
    ['hvs.', 'hvb.', 'hvr.'],
    new RegExp(`${HEAD}hv[sbr]\\.[A-Za-z0-9_-]{20,512}`, 'g'),
  ),
  matching(
    'vault-token',
    ['s.'],
    new RegExp(`${HEAD}s\\.(?=[A-Za-z]{0,24}[0-9])[A-Za-z0-9]{24}${TAIL}`, 'g'),
  ),
  matching(
    'terraform-token',
    ['.atlasv1.'],
    new RegExp(`${HEAD}[A-Za-z0-9]{14}\\.atlasv1\\.${URL_SAFE(60, 80)}`, 'g'),
  ),
  matching('pulumi-token', ['pul-'], new RegExp(`${HEAD}pul-[0-9a-f]{40}${TAIL}`, 'g')),
  matching(
    'doppler-token',
    ['dp.'],
    new RegExp(`${HEAD}dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}`, 'g'),
  ),
  matching('1password-token', ['ops_eyj'], new RegExp(`${HEAD}ops_eyJ[A-Za-z0-9+/=_-]{100,2048}`, 'g')),
  prefixed('linear-key', 'lin_api_', ALNUM(32, 64)),
  matching(
    'notion-token',
    ['ntn_', 'secret_'],
    new RegExp(`${HEAD}(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}${TAIL})`, 'g'),
  ),
  prefixed('perplexity-key', 'pplx-', ALNUM(40, 128)),
  matching(
    'circleci-token',
    ['ccipat_', 'cciprj_'],
    new RegExp(`${HEAD}CCI(?:PAT|PRJ)_[A-Za-z0-9]{16,32}_[0-9a-f]{40}`, 'g'),
  ),
  matching(
    'hubspot-token',
    ['pat-na', 'pat-eu', 'pat-ap'],
    new RegExp(`${HEAD}pat-(?:na|eu|ap)\\d{1,2}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}${TAIL}`, 'g'),
  ),
  prefixed('mongodb-atlas-secret', 'mdb_sa_sk_', NAME(32, 128)),
  prefixed('postman-key', 'PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'),
  prefixed('figma-token', 'figd_', URL_SAFE(30, 64)),
  matching('airtable-token', ['pat'], new RegExp(`${HEAD}pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}${TAIL}`, 'g')),
  matching('artifactory-token', ['akcp'], new RegExp(`${HEAD}AKCp[A-Za-z0-9]{60,80}`, 'g')),
  prefixed('sourcegraph-token', 'sgp_', '(?:[A-Za-z0-9-]{1,20}_)?[0-9a-f]{40}'),
  matching(
    'tailscale-key',
    ['tskey-'],
    new RegExp(`${HEAD}tskey-(?:[a-z]{3,12}-)?[A-Za-z0-9]{8,32}(?:-[A-Za-z0-9]{16,64})?`, 'g'),
  ),
  prefixed('age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50,64}'),
  // For kubeadm: https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/
  matching(
    'bootstrap-token',
    ['token'],
    /(?<keep>token["']?(?:\s{1,4}|[=:]\s{0,4}["']?))[a-z0-9]{6}\.[a-z0-9]{16}(?![a-z0-9])/gi,
  ),
  // Formats of crypt(5), and PHC strings: they allow a password to be guessed.
  matching(
    'password-hash',
    ['$'],
    /\$(?:2[abxy]\$\d\d\$[A-Za-z0-9./]{53}|[156y]\$[^\s:"']{20,256}|argon2(?:id|i|d)\$[^\s:"']{20,256}|scrypt\$[^\s:"']{20,256}|pbkdf2[a-z0-9-]{0,10}\$[^\s:"']{20,256})/g,
  ),
  matching(
    'password-hash',
    ['{ss', '{sh', '{md', '{smd'],
    /\{(?:SSHA|SHA|SMD5|MD5)(?:256|512)?\}[A-Za-z0-9+/]{20,200}={0,2}/g,
  ),
];

/** Finds secrets of the kinds above, in the order of the table; they may overlap. `lower`: the text in lowercase. */
export function spansOfKinds(text: string, lower: string): readonly SecretSpan[] {
  return SECRET_KINDS.flatMap(({ kind, hints, pattern }) =>
    hints.some((hint) => lower.includes(hint)) ? spansOf(text, kind, pattern) : [],
  );
}

/** Returns each match of a global pattern without its leading group `keep`. */
export function spansOf(text: string, kind: string, pattern: RegExp): readonly SecretSpan[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index + (match.groups?.keep?.length ?? 0),
    end: match.index + match[0].length,
    kind,
  }));
}
