import { expect, test } from 'vitest';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { LineStore } from '../store/line-store.ts';
import { rowGaps } from './row-gaps.ts';

const [NEW_RUN, OLD_RUN, OTHER] = [0, 1, 2] as const;
const at = (seconds: number) => ({ seconds, nanos: 0 });

/** A container with two runs, and another one. */
function storeOfRuns(): LineStore {
  const store = new LineStore();
  store.sources.introduce(sourceOf('web/1', NEW_RUN));
  store.sources.introduce({ ...sourceOf('web/1', OLD_RUN), run: 'before', order: 'web/1/before' });
  store.sources.introduce(sourceOf('api/1', OTHER));
  return store;
}

function addLine(store: LineStore, source: number, seconds: number): void {
  store.addLine({ ...at(seconds), source, text: `line at ${seconds}`, flags: 0 });
}

/** The pod was deleted: nothing is known of it after a line. */
function addGap(store: LineStore, seconds: number): void {
  const span = { from: at(seconds), to: undefined };
  store.addMarker(at(seconds), { marker: 'gap', text: 'gap', isWarning: true, source: NEW_RUN, span });
}

const spansOf = (store: LineStore) => rowGaps(store).map(({ from, to }) => [from?.seconds, to?.seconds]);

test.each([
  ['that is held', (store: LineStore) => [addLine(store, OLD_RUN, 20), addGap(store, 20)]],
  [
    'of an earlier run that arrives later',
    (store: LineStore) => [addGap(store, 20), addLine(store, OLD_RUN, 20)],
  ],
])('a gap without an end reaches beyond the line %s at its begin', (_, fill) => {
  const store = storeOfRuns();
  addLine(store, OLD_RUN, 10);
  fill(store);
  addLine(store, OTHER, 30);
  expect(spansOf(store)).toEqual([[20, undefined]]);
});

test('a gap without an end ends where the next line of its container is', () => {
  const store = storeOfRuns();
  addLine(store, OLD_RUN, 20);
  addGap(store, 20);
  addLine(store, OTHER, 30);
  addLine(store, NEW_RUN, 40);
  expect(spansOf(store)).toEqual([[20, 40]]);
});
