import { expect, test } from 'vitest';
import { LogLack } from '../contract/log-lack.ts';
import { lackText } from './log-lack.ts';

test('each reason for an unknown log has a sentence of its own', () => {
  const texts = LogLack.options.map(lackText);
  expect(texts.filter((text) => !/ /.test(text))).toEqual([]);
  expect(new Set(texts).size).toBe(LogLack.options.length);
});
