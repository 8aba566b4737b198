import { expect, test } from 'vitest';
import { DotColors, dotPalette } from './colors.ts';

test('containers in view differ as long as there are colors, and never are red', () => {
  for (const env of [{ TERM: 'xterm' }, { TERM: 'xterm-256color' }]) {
    const palette = dotPalette(env);
    const colors = new DotColors(palette);
    const codes = palette.map((_, index) => colors.codeOf(`shop/web-${index}/app`));
    expect(new Set(codes).size).toBe(palette.length);
    for (const code of codes)
      expect(['31', '91', '38;5;1', '38;5;9', '38;5;196', '38;5;160']).not.toContain(code);
    expect(palette).toContain(colors.codeOf('one/too/many'));
    expect(colors.codeOf('shop/web-0/app')).toBe(codes[0]);
  }
});

test('a single container in view has the same color at every call', () => {
  const palette = dotPalette({});
  expect(new DotColors(palette).codeOf('shop/web-0/app')).toBe(
    new DotColors(palette).codeOf('shop/web-0/app'),
  );
});
