import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FUZZ, FUZZED } from '../../../../../test/support/fuzz/seed.ts';
import { parseFieldExpression, writeFieldExpression } from './field-expression.ts';

test.each([
  ['status=503', { path: 'status', value: '503', exclude: false }],
  ['user.id!=42', { path: 'user.id', value: '42', exclude: true }],
  ['error=', { path: 'error', value: '', exclude: false }],
  ['url=/a?b=c', { path: 'url', value: '/a?b=c', exclude: false }],
  ['status>=500', { path: 'status', value: '>=500', exclude: false }],
  ['duration_ms>1.5', { path: 'duration_ms', value: '>1.5', exclude: false }],
  ['status!=>499', { path: 'status', value: '>499', exclude: true }],
  ['duration>abc', 'no-number'],
  ['status', 'no-expression'],
  ['=503', 'no-expression'],
  [' !=503', 'no-expression'],
])('%s', (text, expected) => {
  expect(parseFieldExpression(text)).toEqual(expected);
});

test(`a filter that can be written reads back as the same filter (${FUZZED})`, () => {
  const texts = fc.oneof(fc.string(), fc.constantFrom('a', 'a.b', '>5', '>=5.5', '=x', '!=y', '<z', ''));
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (path, value, exclude) => {
      const field = { path, value, exclude };
      const text = writeFieldExpression(field);
      if (text !== undefined) expect(parseFieldExpression(text)).toEqual(field);
      else expect(path === '' || path !== path.trim() || /[=!<>]/.test(path)).toBe(true);
    }),
    FUZZ,
  );
});
