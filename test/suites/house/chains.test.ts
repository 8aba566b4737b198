import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { looseChains } from './measures/chains.ts';
import { isTest, ROOT } from './measures/source-files.ts';

test('no member of a closed union takes the last branch of a chain without being named', {
  timeout: 180_000,
}, () => {
  const configs = ['tsconfig.json', 'tsconfig.ui.json'].map((name) => join(ROOT, name));
  const found = looseChains(configs, (file) => /\/packages\/\w+\/src\//.test(file) && !isTest(file));
  const faults = found.map(
    ({ file, line, over, rest }) => `${relative(ROOT, file)}:${line} ${over}: ${rest.join(' ')}`,
  );
  expect(faults).toEqual([]);
});

const CODE = `
type Kind = 'a' | 'b' | 'c';
type Wide = 'a' | 'b' | 'c' | 'd' | 'e' | 'f';
type Shape = { readonly kind: 'a'; readonly x: number } | { readonly kind: 'b' } | { readonly kind: 'c' };
declare const open: string;
declare const kind: Kind;
declare const wide: Wide;
declare const maybe: 'a' | 'b' | undefined;
declare const shape: Shape;
declare const isOn: boolean;
declare function act(): void;

export function one(): number { return kind === 'a' ? 1 : 2; }
export function group(): number { return kind === 'a' || kind === 'b' ? 1 : 2; }
export function outside(): number { return open === 'a' ? 1 : open === 'b' ? 2 : 3; }
export function typed(value: number | boolean): number { return typeof value === 'number' ? 1 : typeof value === 'boolean' ? 2 : 3; }
export function complete(): number | undefined { if (kind === 'a') return 1; if (kind === 'b') return 2; if (kind === 'c') return 3; return undefined; }
export function named(): number { if (kind === 'a') return 1; if (kind === 'b') return 2; kind satisfies 'c'; return 3; }
export function minority(): number { return wide === 'a' ? 1 : wide === 'b' ? 2 : 3; }
export function others(): number { return kind === 'a' ? 1 : shape.kind === 'a' ? 2 : 3; }
export function staying(): void { if (kind === 'a') act(); if (kind === 'b') act(); }
export function ternary(): number { return kind === 'a' ? 1 : kind === 'b' ? 2 : 3; }
export function nested(): number { return isOn ? 0 : shape.kind === 'a' ? 1 : (shape.kind === 'b' ? 2 : 3); }
export function returns(): number { if (shape.kind === 'a') return shape.x; if (shape.kind === 'b') { act(); return 2; } return 3; }
export function elses(): void { if (kind === 'a') act(); else if (kind === 'b') act(); else act(); }
export function silent(): void { if (kind === 'a') act(); else if (kind === 'b') act(); }
export function absent(): number { if (maybe === 'a') return 1; if (maybe === 'b') return 2; return 3; }
export function half(): number { return wide === 'a' || wide === 'b' ? 1 : wide === 'c' ? 2 : 3; }
`;

test('a chain whose last branch stands for unnamed members is found by its types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chains-'));
  try {
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, '{ "compilerOptions": { "strict": true, "types": [] }, "files": ["one.ts"] }');
    writeFileSync(join(folder, 'one.ts'), CODE);
    const found = looseChains([config], () => true);
    const lines = CODE.split('\n').map((line) => /function (\w+)/.exec(line)?.[1]);
    expect(found.map(({ line, over, rest }) => [lines[line - 1], over, ...rest])).toEqual([
      ['ternary', 'kind', '"c"'],
      ['nested', 'shape.kind', '"c"'],
      ['returns', 'shape.kind', '"c"'],
      ['elses', 'kind', '"c"'],
      ['silent', 'kind', '"c"'],
      ['absent', 'maybe', 'undefined'],
      ['half', 'wide', '"d"', '"e"', '"f"'],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
