import type { FunctionTable } from '../../template/function.ts';
import { PATH_FUNCTIONS } from './address/paths.ts';
import { URL_FUNCTIONS } from './address/urls.ts';
import { DICT_FUNCTIONS } from './collection/dicts.ts';
import { LIST_FUNCTIONS } from './collection/lists.ts';
import { CERTIFICATE_FUNCTIONS } from './crypto/certificates.ts';
import { HASH_FUNCTIONS } from './crypto/hashes.ts';
import { RANDOM_FUNCTIONS } from './crypto/random.ts';
import { SECRET_FUNCTIONS } from './crypto/secrets.ts';
import { ENCODING_FUNCTIONS } from './encoding/encoding.ts';
import { JSON_FUNCTIONS } from './encoding/json.ts';
import { FLOW_FUNCTIONS } from './flow.ts';
import { FLOAT_MATH_FUNCTIONS } from './number/float-math.ts';
import { NUMBER_FUNCTIONS } from './number/numbers.ts';
import { SEMVER_FUNCTIONS } from './number/semver.ts';
import { REFLECTION_FUNCTIONS } from './reflection.ts';
import { REGEX_FUNCTIONS } from './text/regex.ts';
import { STRING_FUNCTIONS } from './text/strings.ts';
import { TEXT_SHAPE_FUNCTIONS } from './text/text-shape.ts';
import { DATE_FUNCTIONS } from './time/dates.ts';

/** The Sprig functions that Helm keeps (http://masterminds.github.io/sprig/). */
export const SPRIG_FUNCTIONS: FunctionTable = new Map([
  ...STRING_FUNCTIONS,
  ...TEXT_SHAPE_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...DICT_FUNCTIONS,
  ...FLOW_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...FLOAT_MATH_FUNCTIONS,
  ...REFLECTION_FUNCTIONS,
  ...ENCODING_FUNCTIONS,
  ...RANDOM_FUNCTIONS,
  ...JSON_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...SECRET_FUNCTIONS,
  ...CERTIFICATE_FUNCTIONS,
  ...SEMVER_FUNCTIONS,
  ...URL_FUNCTIONS,
  ...PATH_FUNCTIONS,
  ...REGEX_FUNCTIONS,
  ...HASH_FUNCTIONS,
]);
