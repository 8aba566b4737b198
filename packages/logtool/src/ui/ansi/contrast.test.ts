import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, legible, legibleOn, luminanceOf } from './contrast.ts';

const color = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('luminance and contrast are those of WCAG', () => {
  expect(luminanceOf('#ffffff')).toBeCloseTo(1);
  expect(luminanceOf('#000000')).toBe(0);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test('any color is readable on both canvases, on errors and selected lines too', () => {
  fc.assert(
    fc.property(color, (chosen) => {
      const { dark, light } = legible(chosen);
      for (const canvas of ['#101312', '#241615', '#17211e', '#151918'])
        expect(contrast(dark, canvas)).toBeGreaterThanOrEqual(4.5);
      for (const canvas of ['#fbfaf7', '#fbeeec', '#e9f2ee', '#f5f3ee'])
        expect(contrast(light, canvas)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('keeps a color that is readable', () => {
  expect(legible('#ff8700').dark).toBe('#ff8700');
  expect(legible('#00005f').light).toBe('#00005f');
});

test('text is readable on any background, and keeps its own color if possible', () => {
  fc.assert(
    fc.property(color, color, (background, chosen) => {
      expect(contrast(legibleOn(background, chosen), background)).toBeGreaterThanOrEqual(4.5);
    }),
  );
  expect(legibleOn('#101010', '#ffffff')).toBe('#ffffff');
  expect(legibleOn('#ffff00')).toBe('#000000');
});
