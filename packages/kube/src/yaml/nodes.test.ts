import { expect, test } from 'vitest';
import { nodeAt, readYamlNodes } from './nodes.ts';

test('each value has its line and the value of the core schema', () => {
  const [root] = readYamlNodes('a: 1\nb:\n  - true\n  - {c: ~}\n\n# why\nd: "x"\n');
  expect(nodeAt(root, ['a'])).toEqual({ kind: 'scalar', line: 1, value: 1, start: 3, end: 4 });
  expect(nodeAt(root, ['b'])).toMatchObject({ kind: 'sequence', line: 3 });
  expect(nodeAt(root, ['b', 0])).toEqual({ kind: 'scalar', line: 3, value: true, start: 12, end: 16 });
  expect(nodeAt(root, ['b', 1, 'c'])).toEqual({ kind: 'scalar', line: 4, value: null, start: 25, end: 26 });
  expect(nodeAt(root, ['d'])).toEqual({ kind: 'scalar', line: 7, value: 'x', start: 38, end: 41 });
});

test('a path that is not in the text has no node', () => {
  const [root] = readYamlNodes('a: [1]\n');
  for (const path of [['b'], ['a', 1], ['a', 'x'], ['a', 0, 'x'], [0]]) {
    expect(nodeAt(root, path)).toBeUndefined();
  }
});

test('doubled keys are kept, and the last one counts', () => {
  const [root] = readYamlNodes('{"a": 1,\n"a": 2}');
  expect(root).toMatchObject({ kind: 'mapping', entries: [{}, {}] });
  expect(nodeAt(root, ['a'])).toMatchObject({ line: 2, value: 2 });
});

test('an alias is a node of its own, an empty value is null', () => {
  const [root] = readYamlNodes('a: &x 7\nb: *x\nc:\nd: 1\n');
  expect(nodeAt(root, ['b'])).toEqual({ kind: 'alias', line: 2 });
  expect(nodeAt(root, ['c'])).toMatchObject({ kind: 'scalar', value: null });
  expect(nodeAt(root, ['d'])).toMatchObject({ line: 4 });
});

test('an unknown tag leaves the text', () => {
  expect(nodeAt(readYamlNodes('a: !mine 5\n')[0], ['a'])).toMatchObject({ value: '5' });
});

test('all documents are read, and an empty text has none', () => {
  expect(readYamlNodes('a: 1\n---\nb: 2\n').map(({ line }) => line)).toEqual([1, 3]);
  expect(readYamlNodes('# nothing\n')).toEqual([]);
});

test('too many collections in each other are an error', () => {
  expect(() => readYamlNodes(`${'['.repeat(20)}`, 10)).toThrow('maxDepth');
});
