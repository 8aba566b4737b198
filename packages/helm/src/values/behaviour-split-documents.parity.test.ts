import { expect, it } from 'vitest';
import {
  shownValues,
  templateInHelm,
  VALUES_TEMPLATE,
} from '../../../../test/support/oracles/helm-template.ts';
import { writeJson } from '../json/write-json.ts';
import { readValues } from './user-values.ts';

const TEXTS = [
  '',
  '---',
  '---\n',
  '---\na: 1\n',
  'a: 1\n---\nb: 2\n',
  'a: {b: 1, c: 2}\n---\na: {b: 3}\n---\na: {d: [1]}\n',
  'a: {b: 1}\n---\na: null\n',
  'a: 1\n--- # why\nb: 2\n',
  'a: 1\n---  \nb: 2\n',
  'a: 1\r\n---\r\nb: 2\r\n',
  'a: 1\n---\n---\nb: 2\n---\n',
  'a: |\n  ---\n  x\n',
  'a: 1\n...\nb: 2\n',
  '# a comment\n---\n# another\n',
  'a: 1\n---\n# only a comment\n',
  '%YAML 1.1\n---\na: 1\n',
  'a: 1\n---x: 2\n',
  'a: 1\n--- x: 2\n',
  'a: 1\n--- {x: 2}\n',
  'a: 1\n---\n- list\n',
  'a: 1\n---\nb: [\n',
  '--- text\n',
  'a: 1\n---',
  '---\n# c\n---\n',
  'a: 1\n---\ntext\n',
  'a: "x\n---\ny"\n',
];

it.each(TEXTS)('reads the documents of %j as helm 4 does', async (text) => {
  const result = await templateInHelm('4.1.4', {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'values.yaml': text,
    'templates/values.yaml': VALUES_TEMPLATE,
  });
  let ours: string;
  try {
    ours = writeJson(readValues(text));
  } catch (error) {
    expect(result.stderr).toContain((error as Error).message);
    return;
  }
  expect(result.stderr).toBe('');
  expect(ours).toBe(shownValues(result.stdout)['chart/templates']);
});
