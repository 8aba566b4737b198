import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import { beforeEach, expect, test } from 'vitest';
import { target } from '../../../../../../test/support/cli/fake-services.ts';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import type { ContainerFrame } from '../../../domain/frame.ts';
import { sourceLine } from '../../messages/container-report.ts';
import { Outage } from './outage.ts';

const containers = Array.from({ length: 100 }, (_, index) => target(`web-${index}`));
const [first = target('web-0')] = containers;
const others = containers.slice(1).map(({ id }) => id);

let clock: FakeClock;
let outage: Outage;
let reported: string[];

beforeEach(() => {
  clock = new FakeClock();
  reported = [];
  outage = new Outage(clock, (line) => reported.push(line));
  for (const { id } of containers) outage.seeContainer(id);
});

function cluster(...codes: readonly ('away' | 'refuses' | 'back' | 'other')[]): void {
  for (const code of codes) {
    const text = `cluster ${code}`;
    if (outage.seeNotice({ code: `cluster-${code}`, text }, true)) reported.push(text);
  }
}

type Many = Pick<ContainerFrame, 'others' | 'otherIds'>;
const error = kubeFailure('unexpected', { why: '', isDefect: true });

function report(state: ContainerFrame['state'], of = first, more: Many = {}): void {
  const change = outage.changeOf({ type: 'source', target: of, ...sourceState(state, '', error), ...more });
  if (change !== undefined) reported.push(typeof change === 'string' ? change : sourceLine(change));
}

const many = (state: 'reconnecting' | 'reconnected') =>
  report(state, first, { others: others.length, otherIds: others });

test('an outage that the cluster reported first is not repeated by containers; they end it', () => {
  cluster('away');
  many('reconnecting');
  cluster('back');
  many('reconnected');
  expect(reported).toEqual(['cluster away', '~ 100 containers reconnected']);
});

test('an outage that containers reported first is not repeated by the cluster', () => {
  many('reconnecting');
  cluster('away');
  many('reconnected');
  cluster('back');
  expect(reported).toEqual(['~ 100 containers are reconnecting', '~ 100 containers reconnected']);
});

test('an outage that no container noticed is ended by the cluster', async () => {
  for (let outages = 0; outages < 2; outages++) {
    cluster('away', 'back');
    await clock.advance(2_000);
  }
  expect(reported).toEqual(['cluster away', 'cluster back', 'cluster away', 'cluster back']);
});

test('reports a second outage although the cluster did not report between the two', () => {
  cluster('away');
  many('reconnecting');
  many('reconnected');
  many('reconnecting');
  many('reconnected');
  cluster('back');
  expect(reported).toEqual([
    'cluster away',
    '~ 100 containers reconnected',
    '~ 100 containers are reconnecting',
    '~ 100 containers reconnected',
  ]);
});

test('containers that notice an outage after its end are part of it', async () => {
  cluster('away', 'back');
  await clock.advance(1_000);
  report('reconnecting', first);
  await clock.advance(5_000);
  report('reconnected', first);
  cluster('back');
  await clock.advance(5_000);
  expect(reported).toEqual(['cluster away', 'cluster back']);
});

test('if one of many noticed an outage that the cluster reported, the cluster reports its end', async () => {
  cluster('away');
  report('reconnecting', first);
  report('reconnected', first);
  await clock.advance(5_000);
  expect(reported).toEqual(['cluster away']);
  cluster('back');
  await clock.advance(5_000);
  expect(reported).toEqual(['cluster away', 'cluster back']);
});

test('if containers are not reported, reports the end of an outage at once', () => {
  const notices = ['cluster-away', 'cluster-back'].map((code) => ({ code, text: code }));
  expect(notices.map((notice) => outage.seeNotice(notice, false))).toEqual([true, true]);
});

test('a single container that breaks beside others says nothing of the cluster', () => {
  report('reconnecting');
  cluster('away', 'back');
  report('reconnected');
  expect(reported).toEqual([
    '~ shop/web-0/app is reconnecting',
    'cluster away',
    '~ shop/web-0/app reconnected',
  ]);
});

test('the only container represents the cluster', () => {
  outage = new Outage(clock, (line) => reported.push(line));
  outage.seeContainer(first.id);
  report('reconnecting');
  cluster('away', 'back');
  report('reconnected');
  expect(reported).toEqual(['~ shop/web-0/app is reconnecting', '~ shop/web-0/app reconnected']);
});

test('those that come back apart are counted together, and one that left is not waited for', () => {
  const [a = first, b = first, c = first] = containers;
  cluster('away');
  for (const each of [a, b, c]) report('reconnecting', each);
  report('reconnected', a);
  report('left', b);
  report('reconnected', c);
  cluster('back');
  expect(reported).toEqual([
    'cluster away',
    '- shop/web-1/app left: the pod was deleted',
    '~ 2 containers reconnected',
  ]);
});

test('reports credentials refused meanwhile, because the user can act on them', () => {
  many('reconnecting');
  cluster('away', 'refuses');
  many('reconnected');
  cluster('back', 'other');
  expect(reported).toEqual([
    '~ 100 containers are reconnecting',
    'cluster refuses',
    '~ 100 containers reconnected',
    'cluster other',
  ]);
});
