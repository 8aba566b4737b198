import { expect, it } from 'vitest';
import type { LogtoolError } from '../../domain/errors.ts';
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

function refusal(one: Chart, kubeVersion = 'v1.35.0'): string | undefined {
  try {
    checkInstallable(one, kubeVersion);
    return undefined;
  } catch (error) {
    return (error as LogtoolError).why;
  }
}

it('takes charts and applications, and no libraries', () => {
  expect(refusal(chart({}))).toBeUndefined();
  expect(refusal(chart({ type: 'application' }))).toBeUndefined();
  expect(refusal(chart({ type: 'library' }))).toBe('library charts are not installable');
});

it('names the dependencies that are missing', () => {
  const dependencies = ['a', 'b', 'c'].map((name) => ({ name, version: '1.x' }));
  const present = [chart({ name: 'b' })];
  expect(refusal(chart({ dependencies }, present))).toBe(
    'found in Chart.yaml, but missing in charts/ directory: a, c',
  );
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
  expect(refusal(chart({ kubeVersion }), cluster)).toBe(
    fits
      ? undefined
      : `chart requires kubeVersion: ${kubeVersion} which is incompatible with Kubernetes ${cluster}`,
  );
});
