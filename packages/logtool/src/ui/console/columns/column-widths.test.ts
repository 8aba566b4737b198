import { expect, test } from 'vitest';
import { columnPx, gridTemplate, parseWidths } from './column-widths.ts';

const layout = (widths: Record<string, number> = {}, speakerChars = 0) => ({ widths, speakerChars });

test('a column has the width that was chosen, else its own', () => {
  expect(columnPx('pod', layout())).toBe(192);
  expect(columnPx('pod', layout({ pod: 300 }))).toBe(300);
  expect(columnPx('json:constructor', layout())).toBe(144);
  expect(gridTemplate(['pod'], layout({ pod: 300 }))).toEqual({
    template: '20px 300px minmax(min(480px, 50vw), 1fr)',
    minWidth: 'calc(328px + min(480px, 50vw))',
  });
});

test('the hue is as wide as the longest name beside it, up to a limit', () => {
  expect(columnPx('dot', layout({ dot: 90 }))).toBe(15);
  expect(columnPx('dot', layout({}, 14))).toBe(129);
  expect(columnPx('dot', layout({}, 200))).toBe(219);
  expect(columnPx('dot', layout({ dot: 90 }, 14))).toBe(90);
});

test('of what is stored only widths are read, within bounds', () => {
  expect(parseWidths('{"pod":300,"node":"x","zone":1e9,"os":-4}')).toEqual({ pod: 300, zone: 800, os: 15 });
  for (const text of [null, 'null', '[1', '7']) expect(parseWidths(text)).toEqual({});
});
