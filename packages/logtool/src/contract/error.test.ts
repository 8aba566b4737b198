import { expect, test } from 'vitest';
import { WireError } from './error.ts';

test('an error is a code with the data that the code has everywhere', () => {
  const data = { file: '/kubeconfig', line: 3, why: 'it is no YAML' };
  expect(WireError.parse({ code: 'kubeconfig-invalid', data })).toEqual({ code: 'kubeconfig-invalid', data });
  expect(WireError.safeParse({ code: 'kubeconfig-invalid', data: { file: '/kubeconfig' } }).success).toBe(
    false,
  );
});
