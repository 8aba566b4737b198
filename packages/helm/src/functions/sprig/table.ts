import type { FunctionTable } from '../../template/function.ts';
import { CERTIFICATE_FUNCTIONS } from './certificates.ts';
import { DATE_FUNCTIONS } from './dates.ts';
import { DICT_FUNCTIONS } from './dicts.ts';
import { ENCODING_FUNCTIONS } from './encoding.ts';
import { FLOAT_MATH_FUNCTIONS } from './float-math.ts';
import { FLOW_FUNCTIONS } from './flow.ts';
import { HASH_FUNCTIONS } from './hashes.ts';
import { JSON_FUNCTIONS } from './json.ts';
import { LIST_FUNCTIONS } from './lists.ts';
import { NUMBER_FUNCTIONS } from './numbers.ts';
import { PATH_FUNCTIONS } from './paths.ts';
import { RANDOM_FUNCTIONS } from './random.ts';
import { REFLECTION_FUNCTIONS } from './reflection.ts';
import { REGEX_FUNCTIONS } from './regex.ts';
import { SECRET_FUNCTIONS } from './secrets.ts';
import { SEMVER_FUNCTIONS } from './semver.ts';
import { STRING_FUNCTIONS } from './strings.ts';
import { TEXT_SHAPE_FUNCTIONS } from './text-shape.ts';
import { URL_FUNCTIONS } from './urls.ts';

/** Sprig's functions, as far as Helm keeps them (http://masterminds.github.io/sprig/). */
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
