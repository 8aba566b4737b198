import { expect, test } from 'vitest';
import { messageOf } from './worded.ts';

test('advice about nodes stands by itself if nothing helps to get the right', () => {
  const message = (code: string, data: object) =>
    messageOf({ code: 'nodes-forbidden', data: { fields: ['zone'], refusal: { code, data } } });
  expect(message('closing', {}).next).toBe('--node works without that permission');
  expect(message('page-token', {})).toMatchObject({
    next: 'load the page again; --node works without that permission',
  });
});
