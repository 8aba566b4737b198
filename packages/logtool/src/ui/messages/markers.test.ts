import { expect, test } from 'vitest';
import { markerOfNotice } from './markers.ts';

test('the page advises no flag of the command line', () => {
  const data = { limit: 200, total: 210 };
  expect(markerOfNotice({ type: 'notice', q: 0, code: 'in-turns', data }).text).toBe(
    'following 200 of 210 containers at a time, in turns',
  );
});
