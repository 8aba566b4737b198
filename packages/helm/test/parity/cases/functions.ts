import type { CaseTable } from '../case.ts';

const names = (text: string) => text.trim().split(/\s+/);

/** Functions of text/template itself (https://pkg.go.dev/text/template#hdr-Functions). */
const GO = names(`
  and call eq ge gt html index js le len lt ne not or print printf println slice urlquery
`);

/** Those of Sprig 3.3.0 (https://masterminds.github.io/sprig/) that Helm leaves; a few have Helm's own meaning. */
const SPRIG = names(`
  abbrev abbrevboth add add1 add1f addf adler32sum ago all any append atoi b32dec b32enc b64dec b64enc
  base bcrypt biggest buildCustomCert camelcase cat ceil chunk clean coalesce compact concat contains
  date dateInZone dateModify date_in_zone date_modify decryptAES deepCopy deepEqual default
  derivePassword dict dig dir div divf duration durationRound empty encryptAES ext fail first float64
  floor fromJson genCA genCAWithKey genPrivateKey genSelfSignedCert genSelfSignedCertWithKey
  genSignedCert genSignedCertWithKey get getHostByName has hasKey hasPrefix hasSuffix hello htmlDate
  htmlDateInZone htpasswd indent initial initials int int64 isAbs join kebabcase keys kindIs kindOf
  last list lower max maxf merge mergeOverwrite min minf mod mul mulf mustAppend mustChunk mustCompact
  mustDateModify mustDeepCopy mustFirst mustFromJson mustHas mustInitial mustLast mustMerge
  mustMergeOverwrite mustPrepend mustPush mustRegexFind mustRegexFindAll mustRegexMatch
  mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit mustRest mustReverse mustSlice
  mustToDate mustToJson mustToPrettyJson mustToRawJson mustUniq mustWithout must_date_modify nindent
  nospace now omit osBase osClean osDir osExt osIsAbs pick pluck plural prepend push quote randAlpha
  randAlphaNum randAscii randBytes randInt randNumeric regexFind regexFindAll regexMatch
  regexQuoteMeta regexReplaceAll regexReplaceAllLiteral regexSplit repeat replace rest reverse round
  semver semverCompare seq set sha1sum sha256sum sha512sum shuffle slice snakecase sortAlpha split
  splitList splitn squote sub subf substr swapcase ternary title toDate toDecimal toJson toPrettyJson
  toRawJson toString toStrings trim trimAll trimPrefix trimSuffix trimall trunc tuple typeIs
  typeIsLike typeOf uniq unixEpoch unset until untilStep untitle upper urlJoin urlParse uuidv4 values
  without wrap wrapWith
`);

/** Those that only Helm has (https://helm.sh/docs/chart_template_guide/function_list/). */
const HELM = names(`
  fromJsonArray fromToml fromYaml fromYamlArray include lookup mustToYaml required toToml toYaml
  toYamlPretty tpl
`);

/** Every function that a template of Helm 4 can call. */
export const FUNCTION_NAMES: readonly string[] = [...new Set([...GO, ...SPRIG, ...HELM])];

/** Helm 3 does not have them. */
const NEW: readonly string[] = ['mustToYaml'];

/** What Helm takes out of Sprig, and what people might take for a function. */
const NONE: readonly string[] = [
  'env',
  'expandenv',
  'exec',
  'readFile',
  'toYAML',
  'tojson',
  'fromYamlPretty',
  'mustFromYaml',
  'mustInclude',
  'mustFromToml',
  'mustToToml',
  'fromJsonMap',
  'toXml',
  'mul64',
  'array',
  'map',
  'string',
  'bool',
  'float',
  'uuid',
  'md5sum',
  'sha224sum',
  'sortNumeric',
  'regexMatchAll',
  'getEnv',
  'Include',
  'break_',
  'block_',
  'nilValue',
];

/** A name is looked up where the template is parsed: it need not run. */
export const FUNCTIONS_TABLE: CaseTable = [
  ...FUNCTION_NAMES.map((name) => ({
    template: `{{ if false }}{{ ${name} }}{{ end }}there`,
    ...(NEW.includes(name) && { only: ['4.1.4'] as const }),
  })),
  ...NONE.map((name) => `first line\n\n  {{ if false }}{{ ${name} "x" }}{{ end }}`),
  ...NEW.map((name) => ({ template: `{{ ${name} 1 }}`, only: ['4.1.4'] as const })),
];
