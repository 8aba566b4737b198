import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import { KubeError, type KubeErrorInit } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import { reviewWatches } from './review-watches.ts';

test.each<readonly [string, KubeErrorInit, number]>([
  ['failed', { kind: 'server', message: 'down' }, 5_000],
  ['failed, if the server asks for more', { kind: 'server', message: 'down', retryAfterMs: 60_000 }, 60_000],
  ['was refused', { kind: 'forbidden', message: 'no' }, 60_000],
])('a list comes again after one that %s', async (_name, failure, waitMs) => {
  const clock = new FakeClock();
  let asked = 0;
  const reflect = async function* (): AsyncGenerator<ReflectorEvent<KubeObject>> {
    yield { type: 'snapshot', objects: [] };
    if (++asked === 1) throw new KubeError(failure);
  };
  const events: ReflectorEvent<KubeObject>[] = [];
  const reading = (async () => {
    for await (const event of reviewWatches(fakeClient({ reflect }), clock).reflect(PODS, {}))
      events.push(event);
  })();
  await clock.advance(waitMs - 1);
  expect(asked).toBe(1);
  expect(events.at(-1)).toMatchObject({ type: 'state', state: 'retrying', retryInMs: waitMs });
  await clock.advance(1);
  await reading;
  expect(asked).toBe(2);
});
