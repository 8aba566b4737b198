import { expect, test } from 'vitest';
import { fitLines, sizeOf } from './fit-lines.ts';
import type { RecordLine } from './record-line.ts';

const lines: readonly RecordLine[] = Array.from({ length: 10 }, (_, index) => ({
  at: { seconds: index, nanos: 0 },
  id: '00000000',
  fields: {
    time: `1970-01-01T00:00:0${index}.000000000Z`,
    namespace: 'shop',
    pod: 'web',
    container: 'app',
    message: `"${index}"`,
  },
  kinds: [],
}));
const size = sizeOf(lines.slice(0, 1));
const roomy = 100_000;

test.each(['head', 'tail'] as const)('of a %s as many lines are kept as both forms have room for', (end) => {
  const wanted = (count: number) => (end === 'head' ? lines.slice(0, count) : lines.slice(-count));
  const byText = fitLines(lines, { end, room: { text: size.text * 3, structured: roomy } });
  expect(byText).toEqual({ lines: wanted(3), left: 7 });
  const byStructure = fitLines(lines, { end, room: { text: roomy, structured: size.structured * 4 - 1 } });
  expect(byStructure).toEqual({ lines: wanted(3), left: 7 });
  const byCount = fitLines(lines, { end, room: { text: roomy, structured: roomy }, maxLines: 2 });
  expect(byCount).toEqual({ lines: wanted(2), left: 8 });
});

test('no room leaves all lines out, and enough none', () => {
  expect(fitLines(lines, { end: 'tail', room: { text: 0, structured: 0 } })).toEqual({ lines: [], left: 10 });
  expect(fitLines(lines, { end: 'tail', room: sizeOf(lines) })).toEqual({ lines, left: 0 });
});
