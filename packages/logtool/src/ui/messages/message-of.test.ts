import { expect, test } from 'vitest';
import { messageOf } from './message-of.ts';

test('a code that the page does not know is shown as it is', () => {
  expect(messageOf({ code: 'of-a-later-server', data: { limit: 3 } })).toEqual({ what: 'of-a-later-server' });
  expect(messageOf({ code: 'closing', data: undefined })).toEqual({ what: 'closing' });
});
