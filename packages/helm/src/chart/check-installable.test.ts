import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, it } from 'vitest';
import { templateInHelm } from '../../../../test/support/oracles/helm-template.ts';
import type { Chart, ChartMetadata } from './chart.ts';
import { checkInstallable } from './check-installable.ts';

function chart(metadata: Partial<ChartMetadata>, dependencies: readonly Chart[] = []): Chart {
  return {
    metadata: { apiVersion: 'v2', name: 'chart', version: '1.0.0', ...metadata },
    templates: [],
    values: new Map(),
    files: [],
    dependencies,
  };
}

/** Returns the data of the refusal; undefined if there is none. */
function refusal(one: Chart, kubeVersion = 'v1.35.0'): unknown {
  try {
    checkInstallable(one, kubeVersion);
    return undefined;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    expect(error).toMatchObject({ code: 'chart-not-installable', exit: 'failure' });
    return error.data;
  }
}

it('takes charts and applications, and no libraries', () => {
  expect(refusal(chart({}))).toBeUndefined();
  expect(refusal(chart({ type: 'application' }))).toBeUndefined();
  expect(refusal(chart({ type: 'library' }))).toEqual({ problem: 'type', type: 'library', name: 'chart' });
});

it.each(['v1', 'v2', 'v3', 'v9', 'V2', '2'])(
  'takes apiVersion %s, or not, as helm 4 does',
  async (apiVersion) => {
    const files = (name: string, version: string) => ({
      [`${name}Chart.yaml`]: `apiVersion: ${version}\nname: chart\nversion: 1.0.0\n`,
      [`${name}templates/a.yaml`]: 'kind: A\n',
    });
    const top = await templateInHelm('4.1.4', files('', apiVersion));
    expect(refusal(chart({ apiVersion })) === undefined).toBe(top.exitCode === 0);
    const below = await templateInHelm('4.1.4', {
      ...files('', 'v2'),
      ...files('charts/chart/', apiVersion),
    });
    expect(below.exitCode).toBe(0);
    expect(refusal(chart({}, [chart({ apiVersion })]))).toBeUndefined();
  },
);

it('names an apiVersion that it does not know', () => {
  expect(refusal(chart({ apiVersion: 'v3' }))).toEqual({
    problem: 'api-version',
    apiVersion: 'v3',
    known: ['v1', 'v2'],
  });
});

it('names the dependencies that are missing', () => {
  const dependencies = ['a', 'b', 'c'].map((name) => ({ name, version: '1.x' }));
  const present = [chart({ name: 'b' })];
  expect(refusal(chart({ dependencies }, present))).toEqual({
    problem: 'dependencies',
    missing: ['a', 'c'],
  });
});

it.each([
  ['>=1.20.0', 'v1.35.0', true],
  ['>=1.20.0-0', 'v1.35.0-eks-1234', true],
  ['>=1.20.0', 'v1.35.0-gke.1245000', true],
  ['>=1.20.0', 'v1.35.2+k3s1', true],
  ['~1.34', 'v1.35.0', false],
  ['<1.30.0 || >=1.35', '1.35', true],
  ['not a range', 'v1.35.0', false],
  ['>=1.0', 'not a version', false],
])('holds the range %s against Kubernetes %s', (kubeVersion, cluster, fits) => {
  expect(refusal(chart({ kubeVersion }), cluster)).toEqual(
    fits ? undefined : { problem: 'kube-version', wanted: kubeVersion, kubeVersion: cluster },
  );
});
