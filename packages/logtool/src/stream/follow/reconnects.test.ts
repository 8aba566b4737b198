import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import { expect, test } from 'vitest';
import { sourceState } from '../../../../../test/support/engine/container-report.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { ContainerFrame, Frame } from '../../domain/frame.ts';
import { Reconnects } from './reconnects.ts';

const error = kubeFailure('unexpected', { why: '', isDefect: true });

function make() {
  const clock = new FakeClock();
  const reported: Frame[] = [];
  const reconnects = new Reconnects(clock, (frame) => reported.push(frame));
  const report = (state: ContainerFrame['state'], ids: readonly string[]) => {
    for (const id of ids)
      reconnects.take({
        type: 'source',
        target: { id } as ContainerTarget,
        ...sourceState(state, '', error),
      });
  };
  const about = () =>
    reported
      .splice(0)
      .map((frame) =>
        frame.type === 'source' ? [frame.state, frame.target.id, ...(frame.otherIds ?? [])] : [],
      );
  return { clock, report, about };
}

test('one frame for many that break at once names each of them, and so does the one for their return', async () => {
  const { clock, report, about } = make();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  report('reconnecting', ids);
  await clock.advance(500);
  expect(about()).toEqual([['reconnecting', ...ids]]);
  report('reconnected', ids);
  expect(about()).toEqual([['reconnected', ...ids]]);
});

test('those that are back before the others are named without them', async () => {
  const { clock, report, about } = make();
  report('reconnecting', ['a', 'b', 'c', 'd', 'e', 'f']);
  await clock.advance(500);
  about();
  report('reconnected', ['a', 'c', 'd', 'e']);
  await clock.advance(3_000);
  expect(about()).toEqual([['reconnected', 'a', 'c', 'd', 'e']]);
  report('reconnected', ['b', 'f']);
  expect(
    about()
      .flat()
      .filter((id) => id.length === 1),
  ).toEqual(['b', 'f']);
});

test('reports a few one by one', async () => {
  const { clock, report, about } = make();
  report('reconnecting', ['a', 'b']);
  await clock.advance(500);
  expect(about()).toEqual([
    ['reconnecting', 'a'],
    ['reconnecting', 'b'],
  ]);
});

test('reports those that come back one after the other together, once none came for a while', async () => {
  const { clock, report, about } = make();
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  report('reconnecting', ids);
  await clock.advance(500);
  about();
  for (const id of ids.slice(0, 5)) {
    report('reconnected', [id]);
    await clock.advance(2_000);
    expect(about()).toEqual([]);
  }
  await clock.advance(1_000);
  expect(about()).toEqual([['reconnected', ...ids.slice(0, 5)]]);
});
