import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { boxState, describeSelection, toggle, toggleVisible } from './selection.ts';
import { sourceArgument } from './source-argument.ts';

const web = makeWorkload({ name: 'web', podsTotal: 5 });
const db = makeWorkload({ name: 'db', kind: 'statefulsets', podsTotal: 2 });
const pod = makeWorkload({ name: 'debug', kind: 'pods', podsTotal: 1 });
const all = [web, db, pod];

test('a row is a source argument as the command line takes it', () => {
  expect(sourceArgument(web)).toBe('shop:deployments/web');
});

test('a row goes in and out, the others stay', () => {
  expect(toggle(['x', 'y'], 'z')).toEqual(['x', 'y', 'z']);
  expect(toggle(['x', 'y'], 'x')).toEqual(['y']);
});

test('the box above takes visible rows only, and leaves those that a filter hides', () => {
  const hidden = 'data:deployments/hidden';
  const selected = toggleVisible([hidden, sourceArgument(web)], [web, db]);
  expect(selected).toEqual([hidden, 'shop:deployments/web', 'shop:statefulsets/db']);
  expect(toggleVisible(selected, [web, db])).toEqual([hidden]);
});

test('the box above shows whether some or all visible rows are in', () => {
  expect(boxState(new Set(), all)).toBe('none');
  expect(boxState(new Set([sourceArgument(web)]), all)).toBe('some');
  expect(boxState(new Set(all.map(sourceArgument)), all)).toBe('all');
  expect(boxState(new Set(['other']), [])).toBe('none');
});

test('a selection is described by its workloads and their pods', () => {
  const text = (...rows: (typeof web)[]) => describeSelection(rows.map(sourceArgument), all);
  expect(text(web, db)).toBe('2 workloads, 7 pods');
  expect(text(web)).toBe('1 workload, 5 pods');
  expect(text(pod)).toBe('1 pod');
  expect(text(web, pod)).toBe('1 workload, 6 pods');
});

test('a selected workload that is not in the list (yet) is counted', () => {
  expect(describeSelection(['shop:deployments/gone'], all)).toBe('1 workload, 0 pods');
});
