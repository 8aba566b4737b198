import { describe, expect, test } from 'vitest';
import { type Alike, difference, digest, likeness } from '../../../bench/measure/digest.ts';
import { manifestObjects, releaseObjects } from '../../../bench/measure/objects-in.ts';
import { PREFIX } from '../../../bench/measure/records.ts';

const stamp = (n: number, zone = 'Z') => `2026-11-21T10:00:00.${String(n).padStart(9, '0')}${zone}`;
const numbers = Array.from({ length: 30 }, (_, n) => n);
const ours = numbers.map((n) => `${stamp(n)}  message  ${n} \xff`);
/** Like kubectl, prints one pod after the other. */
const theirs = [0, 1, 2].flatMap((pod) =>
  numbers.filter((n) => n % 3 === pod).map((n) => `[pod/p-${pod}/app] ${stamp(n)} message  ${n} \xff`),
);

const printed = (lines: readonly string[], prefix: RegExp) =>
  digest([['printf', '%s', lines.map((line) => `${line}\n`).join('')]], process.env, { prefix });

async function reported(alike: Alike, own: readonly string[], peer: readonly string[] = theirs) {
  return difference(alike, await printed(own, PREFIX.logtool), await printed(peer, PREFIX.kubectl));
}

test('the same records in the order of time are alike, whatever stands around them', async () => {
  expect(await reported('records', ours)).toBeUndefined();
  expect(await reported('last records', ours.slice(-10))).toBeUndefined();
  // A node in another time zone.
  const elsewhere = theirs.map((line) => line.replace(/T10:(\S+)Z/, 'T15:$1+05:00'));
  expect(await reported('records', ours, elsewhere)).toBeUndefined();
});

test.each([
  ['a record that is missing', ours.slice(1)],
  ['a record that is there twice in the place of another', [ours[0], ...ours.slice(0, 1), ...ours.slice(2)]],
  ['a byte that is another', ours.map((line) => line.replace('age  7', 'age  8'))],
  ['a blank that is missing', ours.map((line) => line.replace('age  7', 'age 7'))],
  ['a time that is another', ours.map((line) => line.replace('07Z', '17Z'))],
  ['two records in each other’s place', [...ours.slice(0, 28), ours[29], ours[28]]],
])('reports %s', async (_, own) => {
  const lines = own.map((line) => line ?? '');
  expect(await reported('records', lines)).toBeDefined();
  if (lines.slice(-10).join() !== ours.slice(-10).join())
    expect(await reported('last records', lines.slice(-10))).toBeDefined();
});

test('the last ten are those of all, and not ten of one container', async () => {
  expect(await reported('last records', ours.slice(-11, -1))).toBeDefined();
  expect(await reported('last records', ours.slice(-9))).toBeDefined();
});

describe('objects', () => {
  const own = '---\n# Source: a\nkind: A\nmetadata: {name: x, labels: {b: "1", a: "2"}}\n---\nkind: Hook\n';
  const helms = `NAME: bench
LAST DEPLOYED: Sat Nov 21 19:43:02 2026
HOOKS:
---
kind: "Hook"
MANIFEST:
---
# Source: a
metadata:
  labels: {a: '2', b: '1'}
  name: x
kind: A

NOTES:
kind: None
`;
  const read = (text: string, itemsOf = manifestObjects) =>
    digest([['printf', '%s', text]], process.env, { itemsOf });

  test('the same ones are alike in any order and notation, and helm’s own words are none', async () => {
    const peer = await read(helms);
    expect(difference('objects', await read(own), peer)).toBeUndefined();
    expect(likeness('objects', peer)).toBe('same 2 objects');
    // The time of a rendering is not part of the content.
    expect((await read(helms.replace('02 2026', '03 2026'))).sha256).toBe(peer.sha256);
  });

  test('keys that a chart generates with each rendering differ only in value', async () => {
    const secret = (key: string) => `---\nkind: Secret\nmetadata: {name: keys}\ndata: {session: ${key}}\n`;
    const peer = await read(secret('c2VjcmV0'));
    expect((await read(secret('b3RoZXIh'))).sha256).toBe(peer.sha256);
    expect((await read(secret('b3RoZXI='.repeat(2)))).sha256).not.toBe(peer.sha256);
  });

  test.each([
    ['a value that is another', own.replace('"1"', '1')],
    ['an object that is missing', own.replace('---\nkind: Hook\n', '')],
    ['an object that is there twice', `${own}---\nkind: Hook\n`],
  ])('reports %s', async (_, text) => {
    expect(await difference('objects', await read(text), await read(helms))).toMatch(/ instead of 2, /);
  });

  test('releases', async () => {
    const [a, b] = ['{"name":"a","revision":"1"}', '{"revision":"2","name":"b"}'];
    const peer = await read(`[${a},${b}]`, releaseObjects);
    expect(difference('objects', await read(`[${b}, ${a}]\n`, releaseObjects), peer)).toBeUndefined();
    expect(difference('objects', await read(`[${a}]`, releaseObjects), peer)).toBeDefined();
  });
});
