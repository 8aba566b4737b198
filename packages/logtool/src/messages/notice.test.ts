import { expect, test } from 'vitest';
import { doubtText } from './doubts.ts';
import { noticeTexts } from './notice.ts';

const TEXTS = noticeTexts(() => '');
const CONTAINER = { namespace: 'shop', pod: 'web-0', container: 'app' };

test('one is one, and several are several', () => {
  const cut = (lines: number) => TEXTS['line-cut']({ container: CONTAINER, lines, limitBytes: 2 ** 24 });
  expect(cut(1)).toMatch(/^1 line of .* is longer than 16 MiB; logtool cut it there$/);
  expect(cut(2)).toMatch(/^2 lines of .* are longer than 16 MiB; logtool cut them there$/);
  const lost = (count: number) =>
    TEXTS['context-cut']({ container: CONTAINER, at: '2026-11-21T10:00:00Z', lost: count });
  expect(lost(1)).toMatch(/^1 line before the match at .* does not appear,/);
  expect(lost(3)).toMatch(/^3 lines before the match at .* do not appear,/);
});

test('a doubt about the restarts of a container counts them', () => {
  const text = (restarts: number) => doubtText({ code: 'earlier-ends-unknown', data: { restarts } });
  expect(text(1)).toMatch(/^after 1 restart, the cluster/);
  expect(text(36)).toMatch(/^after 36 restarts, the cluster/);
});
