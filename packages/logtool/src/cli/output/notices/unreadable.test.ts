import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import { beforeEach, expect, test } from 'vitest';
import { target } from '../../../../../../test/support/cli/fake-services.ts';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import type { ContainerFrame } from '../../../domain/frame.ts';
import { Unreadable } from './unreadable.ts';

const placement = { node: 'node-b' };
const ofNode = Array.from({ length: 37 }, (_, index) => target(`web-${index}`, { placement }));
const [first = target('web-0')] = ofNode;
const others = ofNode.slice(1).map(({ id }) => id);
const elsewhere = target('db-0');

let clock: FakeClock;
let unreadable: Unreadable;
let reported: string[];

beforeEach(() => {
  clock = new FakeClock();
  reported = [];
  unreadable = new Unreadable(clock, (line) => reported.push(line));
  for (const each of [...ofNode, elsewhere]) unreadable.seeContainer(each);
});

type Many = Pick<ContainerFrame, 'others' | 'otherIds'> & { readonly detail?: string };
const error = kubeFailure('unexpected', { why: '', isDefect: true });

const report = (state: ContainerFrame['state'], of = first, { detail = '', ...more }: Many = {}) =>
  unreadable.see({ type: 'source', target: of, ...sourceState(state, detail, error), ...more }, detail);
const many = (state: 'reconnecting' | 'reconnected', detail = '') =>
  report(state, first, { others: others.length, otherIds: others, detail });

test('containers of a node that is away are one line, and one when they are back', async () => {
  many('reconnecting', 'no route to host');
  await clock.advance(4_900);
  expect(reported).toEqual([]);
  await clock.advance(60_000);
  many('reconnected');
  await clock.advance(60_000);
  expect(reported).toEqual([
    'cannot read 37 containers on node node-b for now, trying again: no route to host',
    'reading 37 containers on node node-b again',
  ]);
});

test('does not report a break that is over at once', async () => {
  for (let times = 0; times < 10; times++) {
    many('reconnecting', 'cut');
    await clock.advance(3_000);
    many('reconnected');
    await clock.advance(1_000);
  }
  await clock.advance(60_000);
  expect(reported).toEqual([]);
});

test('names one container, and does not repeat it for others that break while it is away', async () => {
  report('reconnecting', elsewhere, { detail: 'forbidden' });
  await clock.advance(10_000);
  many('reconnecting', 'forbidden');
  await clock.advance(10_000);
  report('reconnected', elsewhere);
  await clock.advance(10_000);
  many('reconnected');
  await clock.advance(10_000);
  expect(reported).toEqual([
    'cannot read shop/db-0/app for now, trying again: forbidden',
    'reading 38 containers again',
  ]);
});

test('while the cluster is away, and half a minute from then on, reports only that', async () => {
  many('reconnecting', 'refused');
  await clock.advance(1_000);
  unreadable.seeNotice('cluster-away');
  await clock.advance(600_000);
  unreadable.seeNotice('cluster-back');
  unreadable.seeNotice('other');
  await clock.advance(20_000);
  expect(reported).toEqual([]);
  await clock.advance(20_000);
  expect(reported).toEqual(['cannot read 37 containers on node node-b for now, trying again: refused']);
});

test('containers whose pods are deleted meanwhile are gone; a failed one reported so itself', async () => {
  report('reconnecting', first, { detail: 'cut' });
  await clock.advance(10_000);
  report('left', first);
  await clock.advance(10_000);
  report('reconnecting', elsewhere, { detail: 'cut' });
  await clock.advance(10_000);
  report('failed', elsewhere);
  await clock.advance(10_000);
  expect(reported).toEqual([
    'cannot read shop/web-0/app for now, trying again: cut',
    'the unreadable containers are gone',
    'cannot read shop/db-0/app for now, trying again: cut',
  ]);
});

test('a container that restarts or waits again is readable, and nothing follows the end', async () => {
  report('reconnecting', first, { detail: 'cut' });
  await clock.advance(10_000);
  report('restarted', first);
  unreadable.close();
  await clock.advance(10_000);
  expect(reported).toEqual(['cannot read shop/web-0/app for now, trying again: cut']);
  report('joined', elsewhere);
  await clock.advance(10_000);
  expect(reported.slice(1)).toEqual(['reading shop/web-0/app again']);
});
