import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HELM_VERSIONS, helm } from '../../../../test/support/oracles/helm.ts';
import { withHelm, withOurs } from './chart-answers.ts';
import { type ChartCase, chartYaml } from './charts/chart-case.ts';
import { DEPTH_CHARTS } from './charts/depth.ts';
import { IDIOM_CHARTS } from './charts/idioms.ts';
import { ORDER_CHARTS } from './charts/order.ts';
import { SCOPE_CHARTS } from './charts/scope.ts';
import { TYPE_CHARTS } from './charts/types.ts';
import { type Answer, writeFiles } from './with-helm.ts';

const CHARTS: readonly ChartCase[] = [
  ...ORDER_CHARTS,
  ...SCOPE_CHARTS,
  ...TYPE_CHARTS,
  ...IDIOM_CHARTS,
  ...DEPTH_CHARTS,
];
const EACH = HELM_VERSIONS.flatMap((version) =>
  CHARTS.filter(({ only }) => only === undefined || only.includes(version)).map(
    (chart) => [chart.name, version, chart] as const,
  ),
);

it.concurrent.each(EACH)('%s gives the same objects and hooks as helm %s', async (_name, version, one) => {
  const home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  try {
    const files = {
      'Chart.yaml': chartYaml(one.name),
      ...one.files,
      'given.yaml': JSON.stringify(one.values ?? {}),
    };
    await writeFiles(join(home, one.name), files);
    const theirs = await withHelm(version, home, one);
    expect(comparable(await withOurs(version, join(home, one.name), one))).toEqual(comparable(theirs));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

const CREATED_VALUES: readonly Readonly<Record<string, unknown>>[] = [
  {},
  {
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: { a: 'b' },
      tls: [{ secretName: 's', hosts: ['h'] }],
    },
    autoscaling: { enabled: true, targetMemoryUtilizationPercentage: 70 },
    serviceAccount: { annotations: { role: 'r' } },
  },
  {
    nameOverride: 'other',
    httpRoute: { enabled: true },
    podAnnotations: { x: 'y' },
    volumes: [{ name: 'v', emptyDir: {} }],
    nodeSelector: { disk: 'ssd' },
    serviceAccount: { create: false },
  },
];

it.concurrent.each(
  HELM_VERSIONS.flatMap((version) => CREATED_VALUES.map((values, at) => [version, at, values] as const)),
)('the chart that helm %s creates gives the same with values %i', async (version, _at, values) => {
  const home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  try {
    await helm(version, ['create', join(home, 'created')], { home });
    await writeFiles(join(home, 'created'), { 'given.yaml': JSON.stringify(values) });
    const one: ChartCase = { name: 'created', files: {}, values };
    const theirs = await withHelm(version, home, one);
    expect('text' in theirs && theirs.text.includes('kind: Deployment')).toBe(true);
    expect(await withOurs(version, join(home, 'created'), one)).toEqual(theirs);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

/** A step of a template that includes itself a thousand times: we say it once. */
const SAME_STEP = /(template: \S+: executing "r" at <include "r" [^>]+>: error calling include: )\1*/g;

/** What was read of a manifest has names in Go that mean nothing here: `into Go struct field SimpleHead.kind of type string`. */
function comparable(answer: Answer): Answer {
  if ('text' in answer) return answer;
  return { error: answer.error.replace(/(cannot unmarshal \w+) into Go .*$/, '$1').replace(SAME_STEP, '$1') };
}
