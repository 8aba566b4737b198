import type { RecordProblem } from '@logtool/helm/src/release/record-problem.ts';
import { expect, test } from 'vitest';
import { recordText } from './records.ts';

test.each<[RecordProblem, string]>([
  [{ problem: 'absent' }, 'it holds no release'],
  [{ problem: 'not-unpacked', why: 'incorrect header check' }, 'cannot unpack it: incorrect header check'],
  [{ problem: 'no-json', why: 'Unexpected token' }, 'it is not JSON: Unexpected token'],
  [{ problem: 'unreadable', why: 'bad' }, 'bad'],
  [{ problem: 'unnamed' }, 'it has no name or no revision'],
  [{ problem: 'chart-unnamed' }, 'its chart has no valid name or version'],
  [{ problem: 'misplaced', name: 'web.v1' }, 'it holds web.v1'],
  [{ problem: 'no-object', at: { of: 'release', fields: ['info'] } }, "the release's info is not an object"],
  [
    { problem: 'field-type', at: { of: 'hook', fields: [] }, field: 'weight', type: 'integer' },
    'a hook: weight is not a whole number',
  ],
  [
    { problem: 'field-type', at: { of: 'file', fields: [] }, field: 'data', type: 'text' },
    'a file of the chart: data is not text',
  ],
  [
    { problem: 'too-many-items', at: { of: 'release', fields: [] }, field: 'hooks', max: 20_000 },
    'the release has more than 20,000 hooks',
  ],
  [
    { problem: 'too-many-items', at: { of: 'release', fields: ['chart'] }, field: 'files', max: 20_000 },
    "the release's chart has more than 20,000 files",
  ],
  [{ problem: 'too-many-values', max: 2_097_152 }, 'it has more than 2,097,152 values'],
  [{ problem: 'history-values', max: 4_194_304 }, 'all revisions together have more than 4,194,304 values'],
  [{ problem: 'too-deep', max: 1000 }, 'it is nested more than 1,000 levels deep'],
  [{ problem: 'too-large', maxMiB: 64 }, 'unpacked, it is larger than 64 MiB'],
  [{ problem: 'history-size', maxMiB: 1024 }, 'all revisions together are larger than 1024 MiB'],
])('%j: %s', (problem, text) => {
  expect(recordText(problem)).toBe(text);
});
