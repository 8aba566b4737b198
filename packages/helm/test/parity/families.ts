import type { CaseTable, ParityCase } from './case.ts';
import { COMPARISON } from './cases/comparison.ts';
import { DOCUMENTS } from './cases/documents.ts';
import { FORMAT } from './cases/format.ts';
import { FUNCTIONS_TABLE } from './cases/functions.ts';
import { LANGUAGE } from './cases/language.ts';
import { LITERALS } from './cases/literals.ts';
import { RANDOM } from './cases/random.ts';
import { READING } from './cases/reading.ts';
import { SPRIG_FAMILIES } from './cases/sprig.ts';

/** All tables of cases. */
const FAMILIES: Readonly<Record<string, CaseTable>> = {
  language: LANGUAGE,
  literals: LITERALS,
  comparison: COMPARISON,
  format: FORMAT,
  documents: DOCUMENTS,
  reading: READING,
  functions: FUNCTIONS_TABLE,
  ...SPRIG_FAMILIES,
  random: RANDOM,
};

export interface NamedCase extends ParityCase {
  readonly family: string;
}

/** Every case by the name of the chart that it is rendered in. */
export const CASES: ReadonlyMap<string, NamedCase> = new Map(
  Object.entries(FAMILIES)
    .flatMap(([family, table]) =>
      table.map((one): NamedCase => ({ family, ...(typeof one === 'string' ? { template: one } : one) })),
    )
    .map((one, index) => [`c${String(index).padStart(5, '0')}`, one]),
);
