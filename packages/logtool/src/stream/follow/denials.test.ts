import type { KubeErrorKind } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { expect, test } from 'vitest';
import { AccessWithdrawn } from '../run/read-failure.ts';
import { ANSWERED, type Denials, NO_DENIALS, noteFailure } from './denials.ts';

/** Returns for each of consecutive failures whether it is final. */
function verdicts(start: Denials, wasRead: boolean, errors: readonly unknown[]): boolean[] {
  let denials = start;
  return errors.map((error) => {
    const noted = noteFailure(denials, error, wasRead);
    denials = noted.denials;
    return noted.isFinal;
  });
}

const failed = (kind: KubeErrorKind) => new KubeError({ kind, message: kind });

test.each(['unauthorized', 'forbidden'] as const)(
  '%s is final at the third time for who was never answered',
  (kind) => {
    expect(verdicts(NO_DENIALS, false, Array(3).fill(failed(kind)))).toEqual([false, false, true]);
  },
);

test.each(['unauthorized', 'forbidden', 'credentials', 'tls'] as const)(
  '%s passes for who read a line, or was only answered',
  (kind) => {
    const errors = Array(4).fill(failed(kind));
    expect(verdicts(NO_DENIALS, true, errors)).toEqual([false, false, false, false]);
    expect(verdicts(ANSWERED, false, errors)).toEqual([false, false, false, false]);
  },
);

test.each(['credentials', 'tls', 'bad-request'] as const)(
  '%s is final for who was never answered',
  (kind) => {
    expect(verdicts(NO_DENIALS, false, [failed(kind)])).toEqual([true]);
  },
);

test('a request that the server cannot understand is final', () => {
  expect(verdicts(NO_DENIALS, true, [failed('bad-request')])).toEqual([true]);
});

test('a refusal is final at once for who lost the permission while reading', () => {
  const errors = [new AccessWithdrawn(), failed('connection'), failed('forbidden')];
  expect(verdicts(ANSWERED, true, errors)).toEqual([false, false, true]);
});

test('who is answered again after a doubt has lost nothing', () => {
  expect(verdicts(ANSWERED, true, [new AccessWithdrawn()])).toEqual([false]);
  expect(verdicts(ANSWERED, true, [failed('forbidden')])).toEqual([false]);
});
