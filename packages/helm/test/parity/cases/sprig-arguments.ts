import type { CaseTable } from '../case.ts';
import { combine } from '../combine.ts';

/** Sprig's functions that give the same for the same. */
const NAMES =
  'abbrev abbrevboth add add1 add1f addf adler32sum all any append atoi b32dec b32enc b64dec b64enc ' +
  'base biggest buildCustomCert camelcase cat ceil chunk clean coalesce compact concat contains date ' +
  'dateInZone dateModify date_in_zone date_modify decryptAES deepCopy deepEqual default derivePassword ' +
  'dict dig dir div divf duration durationRound empty ext first float64 floor genCAWithKey ' +
  'genSelfSignedCertWithKey genSignedCertWithKey get has hasKey hasPrefix hasSuffix hello htmlDate ' +
  'htmlDateInZone indent initial initials int int64 isAbs join kebabcase keys kindIs kindOf last list ' +
  'lower max maxf merge mergeOverwrite min minf mod mul mulf mustAppend mustChunk mustCompact ' +
  'mustDateModify mustDeepCopy mustFirst mustFromJson mustHas mustInitial mustLast mustMerge ' +
  'mustMergeOverwrite mustPrepend mustPush mustRegexFind mustRegexFindAll mustRegexMatch ' +
  'mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit mustRest mustReverse mustSlice ' +
  'mustToDate mustToPrettyJson mustToRawJson mustUniq mustWithout must_date_modify nindent nospace omit ' +
  'osBase osClean osDir osExt osIsAbs pick pluck plural prepend push quote randInt regexFind ' +
  'regexFindAll regexMatch regexQuoteMeta regexReplaceAll regexReplaceAllLiteral regexSplit repeat ' +
  'replace rest reverse round semver semverCompare seq set sha1sum sha256sum sha512sum slice snakecase ' +
  'sortAlpha split splitList splitn squote sub subf substr swapcase ternary title toDate toDecimal ' +
  'toPrettyJson toRawJson toString toStrings trim trimAll trimPrefix trimSuffix trimall trunc tuple ' +
  'typeIs typeIsLike typeOf uniq unixEpoch unset until untilStep untitle upper urlJoin urlParse values ' +
  'without wrap wrapWith';
const F = NAMES.split(' ');

/** Every function with arguments that are too few, too many, or of any kind. */
export const SPRIG_ARGUMENTS: CaseTable = [
  ...combine('{{ F }}', { F }),
  ...combine('{{ F X }}', { F, X: ['nil', '1', '"a,b"', '.Values.map', '.Values.list'] }).filter(
    // Go gives keys and values in no order; helm 3 words the error of semver otherwise.
    (one) => !/(keys|values) \.Values\.map|semver "/.test(one),
  ),
  ...combine('{{ F X Y }}', { F, X: ['"a"', '2'], Y: ['"ab"', '.Values.map'] }),
  ...combine('{{ F X Y Z }}', { F, X: ['"a"', '1'], Y: ['"b"', '2'], Z: ['"abc"'] }),
];
