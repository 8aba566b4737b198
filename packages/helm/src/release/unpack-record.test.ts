import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeRelease, decodeWithoutValues } from './encode.ts';
import { MalformedRelease, type RecordProblem } from './record-problem.ts';
import { RecordBudget } from './unpack-record.ts';

function refusalOf(act: () => unknown): RecordProblem {
  try {
    act();
  } catch (error) {
    if (error instanceof MalformedRelease) return error.problem;
    throw error;
  }
  throw new Error('it was not refused');
}

const recordOf = (config: string) =>
  gzipSync(`{"name":"a","version":1,"info":{},"config":{"a":${config}}}`, { level: 1 }).toString('base64');
/** Each `{}` has a bracket and a comma. */
const withObjects = (count: number) => recordOf(`[${'{},'.repeat(count)}1]`);
const nested = (depth: number) => recordOf('['.repeat(depth) + ']'.repeat(depth));

test.each([decodeRelease, decodeWithoutValues])(
  '%o refuses what would take gigabytes once parsed',
  (decode) => {
    const values = refusalOf(() => decode(withObjects(20_000_000)));
    expect(values).toEqual({ problem: 'too-many-values', max: 2_097_152 });
    expect(refusalOf(() => decode(nested(1_500)))).toEqual({ problem: 'too-deep', max: 1000 });
  },
);

test.each(['hooks', 'templates', 'files'])(
  'a record with more %s than files of a chart is refused',
  (key) => {
    const list = `"${key}":[${'{},'.repeat(20_000)}{}]`;
    const text = `{"name":"a","version":1,"info":{},${key === 'hooks' ? list : `"chart":{${list}}`}}`;
    expect(refusalOf(() => decodeRelease(Buffer.from(text).toString('base64')))).toEqual({
      problem: 'too-many-items',
      at: { of: 'release', fields: key === 'hooks' ? [] : ['chart'] },
      field: key,
      max: 20_000,
    });
  },
);

test('a record with as many values as a chart may have is read', () => {
  const { config } = decodeRelease(withObjects(2 ** 20 - 100));
  expect(config.get('a')).toHaveLength(2 ** 20 - 99);
  expect(decodeRelease(nested(990)).config.size).toBe(1);
});

test('a record without its values has all else', () => {
  const { name, version, config } = decodeWithoutValues(recordOf('1'));
  expect({ name, version, config }).toEqual({ name: 'a', version: 1, config: new Map() });
});

test('ten revisions of the largest charts fit into memory together, and no number of hostile ones', () => {
  const budget = new RecordBudget();
  for (let revision = 1; revision <= 10; revision++) budget.take(20_000_000, 300_000);
  const many = () => {
    for (let revision = 1; revision <= 10; revision++) budget.take(1_000_000, 2_000_000);
  };
  expect(refusalOf(many)).toEqual({ problem: 'history-values', max: 4_194_304 });
  const texts = new RecordBudget();
  const large = () => {
    for (let revision = 1; revision <= 20; revision++) texts.take(62_000_000, 10);
  };
  expect(refusalOf(large)).toEqual({ problem: 'history-size', maxMiB: 1024 });
});

test('records that are read together share one budget', () => {
  const budget = new RecordBudget();
  const record = withObjects(2 ** 20 - 100);
  decodeRelease(record, {}, budget);
  decodeRelease(record, {}, budget);
  expect(refusalOf(() => decodeRelease(record, {}, budget))).toEqual({
    problem: 'history-values',
    max: 4_194_304,
  });
});
