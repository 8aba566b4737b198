import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import { expect, test } from 'vitest';
import { sourceState } from '../../../../../test/support/engine/container-report.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { ContainerFrame } from '../../domain/frame.ts';
import { sourceLine } from './container-report.ts';

const target = { namespace: 'shop', pod: 'web-0', container: 'app' } as ContainerTarget;
const error = kubeFailure('unexpected', { why: '', isDefect: true });
const frame = (
  state: ContainerFrame['state'],
  detail = '',
  more: { readonly others?: number } = {},
): ContainerFrame => ({ type: 'source', target, ...sourceState(state, detail, error), ...more });

test('one container is named', () => {
  expect(sourceLine(frame('reconnecting', 'connection refused'))).toBe(
    '~ shop/web-0/app is reconnecting: connection refused',
  );
  expect(sourceLine(frame('reconnected'))).toBe('~ shop/web-0/app reconnected');
});

test('many containers that changed together are one line', () => {
  expect(sourceLine(frame('reconnecting', 'connection refused', { others: 49 }))).toBe(
    '~ 50 containers are reconnecting: connection refused',
  );
  expect(sourceLine(frame('reconnected', '', { others: 49 }))).toBe('~ 50 containers reconnected');
});
