import type { CaseTable, ParityCase } from './case.ts';
import { COMPARISON } from './cases/comparison.ts';
import { DOCUMENTS } from './cases/documents.ts';
import { FORMAT } from './cases/format.ts';
import { LANGUAGE } from './cases/language.ts';
import { RANDOM } from './cases/random.ts';
import { SPRIG_FAMILIES } from './cases/sprig.ts';

/** All tables of cases. */
const FAMILIES: Readonly<Record<string, CaseTable>> = {
  language: LANGUAGE,
  comparison: COMPARISON,
  format: FORMAT,
  documents: DOCUMENTS,
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
