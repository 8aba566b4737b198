import type { KubeErrorKind } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { expect, test } from 'vitest';
import { AccessWithdrawn } from '../run/stream-abort.ts';
import { Denials } from './denials.ts';

const failed = (kind: KubeErrorKind) => new KubeError({ kind, message: kind });

test.each(['unauthorized', 'forbidden'] as const)(
  '%s is final at the third time for who was never answered',
  (kind) => {
    const denials = new Denials();
    expect([1, 2, 3].map(() => denials.isFinal(failed(kind), false))).toEqual([false, false, true]);
  },
);

test.each(['unauthorized', 'forbidden', 'credentials', 'tls'] as const)(
  '%s passes for who read a line, or was only answered',
  (kind) => {
    const read = new Denials();
    expect([1, 2, 3, 4].map(() => read.isFinal(failed(kind), true))).toEqual([false, false, false, false]);
    const silent = new Denials();
    silent.onAnswer();
    expect([1, 2, 3, 4].map(() => silent.isFinal(failed(kind), false))).toEqual([false, false, false, false]);
  },
);

test.each(['credentials', 'tls', 'bad-request'] as const)(
  '%s is final for who was never answered',
  (kind) => {
    expect(new Denials().isFinal(failed(kind), false)).toBe(true);
  },
);

test('a request that the server cannot understand is final', () => {
  expect(new Denials().isFinal(failed('bad-request'), true)).toBe(true);
});

test('a refusal is final at once for who lost the permission while reading', () => {
  const denials = new Denials();
  denials.onAnswer();
  expect(denials.isFinal(new AccessWithdrawn(), true)).toBe(false);
  expect(denials.isFinal(failed('connection'), true)).toBe(false);
  expect(denials.isFinal(failed('forbidden'), true)).toBe(true);
});

test('who is answered again after a doubt has lost nothing', () => {
  const denials = new Denials();
  denials.onAnswer();
  expect(denials.isFinal(new AccessWithdrawn(), true)).toBe(false);
  denials.onAnswer();
  expect(denials.isFinal(failed('forbidden'), true)).toBe(false);
});
