import type { HelmVersion } from '../../../../test/support/oracles/helm.ts';

/** One small template that our engine and the real helms render. */
export interface ParityCase {
  readonly template: string;
  /** What `.Values` is; SHARED_VALUES when absent. Numbers are float64, as from a values file. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The helms that render it as we do, when they differ; say why beside the case. */
  readonly only?: readonly HelmVersion[];
  /** Only the place and the first words of an error are compared: the rest is a list in no order, or a pointer. */
  readonly errorStart?: number;
}

/** Cases by the family that they are of. A mere text is a template on SHARED_VALUES. */
export type CaseTable = readonly (string | ParityCase)[];

/** `.Values` of cases that say nothing else. */
export const SHARED_VALUES: Readonly<Record<string, unknown>> = {
  text: 'hello',
  empty: '',
  zero: 0,
  one: 1,
  int: 42,
  big: 1000000,
  huge: 12345678901234567000,
  float: 1.5,
  small: 0.000001,
  negative: -7,
  yes: true,
  no: false,
  nothing: null,
  list: ['a', 'b', 'c'],
  numbers: [3, 1, 2],
  mixed: ['x', 1, true, null, 2.5, { k: 'v' }, [1, 2]],
  emptyList: [],
  map: { b: 2, a: 'one', c: { d: 'deep' } },
  emptyMap: {},
  nested: { one: { two: { three: 'found' } } },
  people: [
    { name: 'Ann', age: 30 },
    { name: 'Bo', age: 25 },
  ],
  unicode: 'héllo wörld ☃ 😀',
  lines: 'first\nsecond\nthird\n',
  quoted: 'say "hi" & <bye>',
  version: '1.2.3-beta.1+build5',
  number: '12',
};

/** Files of the chart that all cases are in, for `.Files`. */
export const SHARED_FILES: Readonly<Record<string, string>> = {
  'files/one.txt': 'one\n',
  'files/two.conf': 'a = 1\nb = 2',
  'files/deep/three.txt': 'three\n',
  'files/empty.txt': '',
  'files/bytes.bin': '\u0001\u00ff\n',
};
