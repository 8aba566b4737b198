import { expect, test } from 'vitest';
import { pinsMarkdown } from './pins-markdown.ts';

const line = (text: string) =>
  ({ link: 'l', state: 'read', namespace: 'shop', pod: 'web-0', container: 'app', text }) as const;

test('pins are a list under one link, with time, pod, note and line, which end neither list nor link', () => {
  const text = pinsMarkdown(
    [
      { line: line('a ``` b'), note: 'first *sign*', at: '10:00', address: 'http://x/?q=(a)' },
      { line: { link: 'l', state: 'gone' }, note: '', at: '10:01', address: 'http://x/2' },
    ],
    'http://x/all',
  );
  expect(text).toBe(
    [
      '[Pinned lines](http://x/all)',
      '',
      '- [10:00](http://x/?q=%28a%29) web-0/app: first \\*sign\\*',
      '',
      '  ````text',
      '  a ``` b',
      '  ````',
      '',
      '- [10:01](http://x/2) (no longer in the logs)',
      '',
    ].join('\n'),
  );
});
