import { expect, test } from 'vitest';
import { createNotifier } from './notifier.ts';

/** Returns what a terminal of this width receives. */
async function progressOn(columns: number | undefined, text: string): Promise<string> {
  let written = '';
  const notifier = createNotifier({
    isTTY: true,
    columns,
    write: async (chunk) => {
      written += String(chunk);
    },
  });
  await notifier.progress(text);
  return written.replace('\r\x1b[2K', '');
}

test('the line of progress is cut before the last column, so that it can be written over', async () => {
  expect(await progressOn(10, '12 of 12 ready')).toBe('12 of 12…');
  expect(await progressOn(undefined, 'x'.repeat(200))).toBe(`${'x'.repeat(78)}…`);
});

test('a terminal of unknown size has 80 columns', async () => {
  expect(await progressOn(0, '5 of 5 ready')).toBe('5 of 5 ready');
});
