import { expect, test } from 'vitest';
import { eventFact, exitFact, startFact } from '../../../../../test/support/domain/facts.ts';
import type { Fact, FactOf } from '../../domain/facts/fact.ts';
import { factRowText, imageChangeText } from './facts.ts';

const RUN = {
  exitCode: 137,
  memoryLimit: '256Mi',
  lastedMs: 41_000,
  restarts: 4,
  isInit: false,
  wasDeleted: false,
};
const exit = (data: Partial<FactOf<'exited'>['data']>, reason = 'OOMKilled') =>
  exitFact({ reason, data: { ...RUN, ...data } });

test.each<[string, Fact, Fact | undefined]>([
  [
    'web-1/app exited 137 OOMKilled (limit 256Mi) after 41 s · restarted 10 s later, 5th time',
    exit({}),
    startFact({ data: { restarts: 5, afterMs: 10_000 } }),
  ],
  ['web-1/app exited 1 Error after 41 s', exit({ exitCode: 1 }, 'Error'), undefined],
  ['web-1/app exited 137 OOMKilled signal 9 (limit 256Mi) after 41 s', exit({ signal: 9 }), undefined],
  [
    'web-1/app init container exited 2 Error after 41 s',
    exit({ exitCode: 2, isInit: true }, 'Error'),
    undefined,
  ],
  ['web-1/app Restarted (2nd time)', startFact({ data: { restarts: 2 } }), undefined],
  [
    'web-1/app Started container app',
    eventFact({ reason: 'Started', message: 'Started container app' }),
    undefined,
  ],
  [
    'web-1/app Failed FailedMount is what it says',
    eventFact({ reason: 'Failed', message: 'FailedMount is what it says' }),
    undefined,
  ],
  [
    'web-1/app Unhealthy Readiness probe failed',
    eventFact({ reason: 'Unhealthy', message: 'Readiness probe failed' }),
    undefined,
  ],
])('%s', (text, fact, restart) => {
  expect(factRowText(fact, restart)).toBe(text);
});

test('a rollout names what became of its image, shortly where only the tag is another one', () => {
  const change = (from: string | undefined, to: string | undefined) =>
    imageChangeText([{ container: 'app', from, to }]);
  expect(change('registry:5000/shop/web:v41', 'registry:5000/shop/web:v42')).toBe('image v41 -> v42');
  expect(change('web@sha256:aa', 'web@sha256:bb')).toBe('image sha256:aa -> sha256:bb');
  expect(change('a/web:v1', 'b/web:v1')).toBe('image a/web:v1 -> b/web:v1');
  expect(change('registry:5000/web', 'registry:5000/web:v2')).toBe(
    'image registry:5000/web -> registry:5000/web:v2',
  );
  expect(change(undefined, 'web:v1')).toBe('image web:v1');
  expect(change('web:v1', undefined)).toBe('image web:v1 removed');
  const images = [
    { container: 'app', from: 'web:v1', to: 'web:v2' },
    { container: 'log', from: 'log:1', to: 'log:2' },
  ];
  expect(imageChangeText(images)).toBe('image of app v1 -> v2, image of log 1 -> 2');
});
