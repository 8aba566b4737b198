import { expect, test } from 'vitest';
import { markerOfNotice } from './markers.ts';

test('the page advises no flag of the command line', () => {
  const text =
    'following 200 of 210 containers at a time, in turns; --max-log-requests=210 follows all at once';
  expect(markerOfNotice({ type: 'notice', q: 0, code: 'in-turns', text }).text).toBe(
    'following 200 of 210 containers at a time, in turns',
  );
});
