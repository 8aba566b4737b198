import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { isTest, ROOT } from './measures/source-files.ts';
import { type LooseSwitch, looseSwitches } from './measures/switches.ts';

const OF_NODE = "Node's own list, which grows with its versions";
const OF_GO = "Go's parser: any other token begins something else, or is its error";

/** A file with the expression of a switch -> why other members need no `case`. The list only shrinks. */
const KEPT: Readonly<Record<string, string>> = {
  'packages/helm/src/functions/sprig/crypto/private-key.ts: key.asymmetricKeyType': OF_NODE,
  'packages/helm/src/functions/sprig/crypto/x509.ts: key.asymmetricKeyType': OF_NODE,
  'packages/helm/src/repository/paths.ts: platform': OF_NODE,
  'packages/helm/src/template/parse/parse-pipeline.ts: token.kind': OF_GO,
  'packages/helm/src/template/parse/parse.ts: token.kind': OF_GO,
  'packages/logtool/src/cli/messages/helm/obstacles.ts: obstacle.problem':
    'a table has the texts of the others',
  'packages/logtool/src/stream/follow/follower.ts: effect.type': 'the method for the others checks them',
};

const nameOf = ({ file, over }: LooseSwitch, root: string) =>
  `${relative(root, file).replaceAll('\\', '/')}: ${over}`;

test('no member of a closed union passes through a switch without notice', { timeout: 180_000 }, () => {
  const configs = ['tsconfig.json', 'tsconfig.ui.json'].map((name) => join(ROOT, name));
  const found = looseSwitches(configs, (file) => /\/packages\/\w+\/src\//.test(file) && !isTest(file));
  const faults = found.filter((one) => !(nameOf(one, ROOT) in KEPT));
  expect(faults.map((one) => `${nameOf(one, ROOT)}, line ${one.line}: ${one.missing.join(' ')}`)).toEqual([]);
  expect([...new Set(found.map((one) => nameOf(one, ROOT)))].sort()).toEqual(Object.keys(KEPT));
});

const CODE = `
type Kind = 'a' | 'b' | 'c';
type Shape = { readonly kind: 'a'; readonly x: number } | { readonly kind: 'b' };
declare const open: string;
declare const kind: Kind;
declare const shape: Shape;
declare const done: Promise<void>;
declare function act(): void;

export function complete(): number { switch (kind) { case 'a': return 1; case 'b': case 'c': throw open; } }
export function checked(): void { switch (shape.kind) { case 'a': return act(); case 'b': act(); break; default: shape satisfies never; } }
export function outside(): number { switch (open) { case 'a': return 1; default: return 2; } }
export function typed(value: number | boolean): number { switch (typeof value) { case 'number': return 1; default: return 2; } }
export function narrowed(): number { if (kind === 'c') return 3; switch (kind) { case 'a': return 1; case 'b': return 2; } }
export async function later(): Promise<void> { switch (kind) { case 'a': case 'b': return; case 'c': return done; } }
export function rest(): number { switch (kind) { case 'a': return 1; default: return 2; } }
export function silent(): void { switch (kind) { case 'a': act(); return; case 'b': act(); } }
export function unchecked(): void { switch (shape.kind) { case 'a': act(); break; case 'b': act(); } }
export function surplus(): number { switch (shape.kind) { case 'a': return 1; case 'b': return 2; default: return 3; } }
`;

test('a switch that leaves members out, or would not notice a new one, is found by its types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switches-'));
  try {
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, '{ "compilerOptions": { "strict": true, "types": [] }, "files": ["one.ts"] }');
    writeFileSync(join(folder, 'one.ts'), CODE);
    const found = looseSwitches([config], () => true);
    const lines = CODE.split('\n').map((line) => /function (\w+)/.exec(line)?.[1]);
    expect(found.map(({ line, over, missing }) => [lines[line - 1], over, ...missing])).toEqual([
      ['later', 'kind'],
      ['rest', 'kind', '"b"', '"c"'],
      ['silent', 'kind', '"c"'],
      ['unchecked', 'shape.kind'],
      ['surplus', 'shape.kind'],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
