import { expect, test } from 'vitest';
import { readOptions } from '../../../bench/options.ts';

const read = (...argv: string[]) => readOptions(argv, '/where/the/person/is');

test("the path of a kubeconfig is relative to the user's folder", () => {
  const cluster = ['--namespace=shop', '--pod=web-0', '--workload=deployments/web'];
  const rest = { namespace: 'shop', pod: 'web-0', workload: 'deployments/web' };
  expect(read('--kubeconfig=lab/config', ...cluster).foreign).toEqual({
    kubeconfig: '/where/the/person/is/lab/config',
    ...rest,
  });
  expect(read('--kubeconfig=/etc/config', ...cluster).foreign).toEqual({
    kubeconfig: '/etc/config',
    ...rest,
  });
  expect(read().foreign).toBeUndefined();
});

test('a part of the cases, or --no-write, writes no table', () => {
  expect(read().isWritten).toBe(true);
  expect(read('--only=grep').isWritten).toBe(false);
  expect(read('--no-write').isWritten).toBe(false);
});

test('reports mistakes', () => {
  expect(() => read('--pod=web-0')).toThrow('name its --kubeconfig too');
  expect(() => read('--rounds=0')).toThrow('--rounds 0 is not a number from 1');
  expect(() => read('--rond=1')).toThrow("'--rond");
});
