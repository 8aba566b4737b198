import type { CaseTable } from '../case.ts';
import { SPRIG_ARGUMENTS } from './sprig-arguments.ts';
import { SPRIG_CRYPTO } from './sprig-crypto.ts';
import { SPRIG_DATES } from './sprig-dates.ts';
import { SPRIG_DICTS } from './sprig-dicts.ts';
import { SPRIG_ENCODING } from './sprig-encoding.ts';
import { SPRIG_FLOW } from './sprig-flow.ts';
import { SPRIG_LISTS } from './sprig-lists.ts';
import { SPRIG_NUMBERS } from './sprig-numbers.ts';
import { SPRIG_PATHS } from './sprig-paths.ts';
import { SPRIG_REGEX } from './sprig-regex.ts';
import { SPRIG_STRINGS } from './sprig-strings.ts';
import { SPRIG_VERSIONS } from './sprig-versions.ts';

/** Sprig's functions by family. */
export const SPRIG_FAMILIES: Readonly<Record<string, CaseTable>> = {
  strings: SPRIG_STRINGS,
  lists: SPRIG_LISTS,
  dicts: SPRIG_DICTS,
  numbers: SPRIG_NUMBERS,
  flow: SPRIG_FLOW,
  arguments: SPRIG_ARGUMENTS,
  versions: SPRIG_VERSIONS,
  regex: SPRIG_REGEX,
  paths: SPRIG_PATHS,
  encoding: SPRIG_ENCODING,
  crypto: SPRIG_CRYPTO,
  dates: SPRIG_DATES,
};
