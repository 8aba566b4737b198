import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { SourceFrame } from '../../../domain/frame.ts';
import { sourceLine } from './source-lines.ts';

const target = { namespace: 'shop', pod: 'web-0', container: 'app' } as ContainerTarget;
const frame = (part: Partial<SourceFrame>): SourceFrame => ({
  type: 'source',
  target,
  state: 'reconnecting',
  detail: '',
  ...part,
});

test('one container is named', () => {
  expect(sourceLine(frame({ detail: 'connection refused' }))).toBe(
    '~ shop/web-0/app is being reconnected: connection refused',
  );
  expect(sourceLine(frame({ state: 'reconnected' }))).toBe('~ shop/web-0/app is back');
});

test('many containers that changed together are one line', () => {
  expect(sourceLine(frame({ others: 49, detail: 'connection refused' }))).toBe(
    '~ 50 containers are being reconnected: connection refused',
  );
  expect(sourceLine(frame({ state: 'reconnected', others: 49 }))).toBe('~ 50 containers are back');
});
