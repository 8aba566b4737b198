import { expect, it } from 'vitest';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';
import {
  shownValues,
  templateInHelm,
  VALUES_TEMPLATE,
} from '../../../../test/support/oracles/helm-template.ts';
import { readJson } from '../json/read-json.ts';
import { writeJson } from '../json/write-json.ts';
import type { ValueMap } from '../value/value.ts';
import { coalesceValues } from './coalesce.ts';

const CHART_VALUES = { a: { b: 1, c: { d: 2, n: null } }, e: 5, f: null, h: null };
const GIVEN = { a: { b: null, new: null, c: { d: null, n: null, x: null } }, e: null, g: null, h: null };

async function helmValues(version: (typeof HELM_VERSIONS)[number]): Promise<string> {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'values.yaml': JSON.stringify(CHART_VALUES),
    'templates/values.yaml': VALUES_TEMPLATE,
  };
  const result = await templateInHelm(version, files, ['-f', 'given'], { given: JSON.stringify(GIVEN) });
  return shownValues(result.stdout)['chart/templates'] ?? result.stderr;
}

const asMap = (value: unknown) => readJson(JSON.stringify(value)) as ValueMap;

it('takes away with null what the chart has and keeps other nulls, as helm does; inside of tables helm 3 also takes away the nulls of both', async () => {
  const [four, three] = await Promise.all(HELM_VERSIONS.map(helmValues));
  const chart = {
    metadata: { apiVersion: 'v2', name: 'chart', version: '1.0.0' },
    templates: [],
    files: [],
    dependencies: [],
    values: asMap(CHART_VALUES),
  };
  expect(writeJson(coalesceValues(chart, asMap(GIVEN)))).toBe(four);
  expect(four).toBe('{"a":{"c":{"n":null,"x":null},"new":null},"f":null,"g":null}');
  expect(three).toBe('{"a":{"c":{"x":null},"new":null},"f":null,"g":null}');
});
