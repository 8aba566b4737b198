import { expect, test } from 'vitest';
import type { RolloutSpan, ViewSource } from '../../../worker/protocol/protocol.ts';
import { newSourcesOf, rolloutFinder } from './new-pods.ts';

const ROLLOUT: RolloutSpan = {
  workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
  revision: 42,
  images: [{ container: 'app', from: 'web:v41', to: 'web:v42' }],
  fromMs: 1_000,
  toMs: 2_000,
  isGoingOn: false,
};

function source(index: number, pod: string, image: string, values: Partial<ViewSource> = {}): ViewSource {
  const container = values.container ?? 'app';
  return {
    index,
    id: `${pod}/${container}`,
    pod,
    container,
    image,
    namespace: 'shop',
    ...values,
  } as ViewSource;
}

const SOURCES = [
  source(0, 'web-7d9f4c-aaaaa', 'web:v41'),
  source(1, 'web-5b8f6d-bbbbb', 'web:v42'),
  source(2, 'web-5b8f6d-bbbbb', 'proxy:1', { container: 'proxy' }),
  source(3, 'web-admin-5b8f6d-ccccc', 'web:v42'),
  source(4, 'web-5b8f6d-ddddd', 'web:v42', { namespace: 'other' }),
];

test('new pods are those of the workload with one of the new images, all of their containers', () => {
  expect([...newSourcesOf(ROLLOUT, SOURCES)]).toEqual([1, 2]);
  const set = { ...ROLLOUT, workload: { ...ROLLOUT.workload, kind: 'StatefulSet' } };
  expect([...newSourcesOf(set, [source(0, 'web-0', 'web:v42'), source(1, 'web-x', 'web:v42')])]).toEqual([0]);
  const daemons = { ...ROLLOUT, workload: { ...ROLLOUT.workload, kind: 'DaemonSet' } };
  expect([...newSourcesOf(daemons, [source(0, 'web-x7x2p', 'web:v42')])]).toEqual([0]);
});

test('where no image changed, nothing distinguishes new pods from others', () => {
  expect(newSourcesOf({ ...ROLLOUT, images: [] }, SOURCES).size).toBe(0);
});

test('lines are of a rollout from its beginning to its end, or on while it lasts', () => {
  const find = rolloutFinder([ROLLOUT], SOURCES);
  expect([999, 1_000, 2_000, 2_001].map((ms) => find(1, ms))).toEqual([undefined, 42, 42, undefined]);
  expect(find(0, 1_500)).toBeUndefined();
  const goingOn = rolloutFinder([{ ...ROLLOUT, toMs: undefined, isGoingOn: true }], SOURCES);
  expect(goingOn(1, 9_000)).toBe(42);
  const unknown = rolloutFinder([{ ...ROLLOUT, toMs: undefined }], SOURCES);
  expect(unknown(1, 1_500)).toBeUndefined();
});
