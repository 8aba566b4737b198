import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { readManifest } from '../apply/read-manifest.ts';
import { checkInstallable } from '../chart/check-installable.ts';
import { loadChart } from '../chart/load-chart.ts';
import { readChartArchive } from '../chart/read-archive.ts';
import type { ChartStep } from '../failures.ts';
import { validateValues } from '../schema/validate-values.ts';
import { limitError } from '../template/budget.ts';
import { countValues } from '../value/count-values.ts';
import { coalesceValues } from '../values/coalesce.ts';
import { processDependencies } from '../values/process-dependencies.ts';
import type { ChartWork, ReleaseInput, RenderedRelease } from './chart-work.ts';
import { checkHooks } from './check-hooks.ts';
import type { Lookup } from './lookup.ts';
import { renderChart } from './render-chart.ts';

/** Works on charts in the calling thread: no limit ends it from outside. */
export const CHARTS_IN_PROCESS: ChartWork = {
  load: loadChart,
  unpack: (archive) => readChartArchive(archive),
  readObjects: async (manifest) => readManifest(manifest),
  render: (input, lookup) => renderRelease(input, lookup, () => undefined),
};

/** Maximum number of values in all objects of a manifest: no cluster accepts nearly as many. */
const MAX_OBJECT_VALUES = 2 ** 20;

/** Like `ChartWork.render`; reports each step before it starts. */
export async function renderRelease(
  input: ReleaseInput,
  lookup: Lookup,
  onStep: (step: ChartStep) => void,
  maxObjectValues = MAX_OBJECT_VALUES,
): Promise<RenderedRelease> {
  const { name, namespace, revision, isUpgrade, values, capabilities, subNotes } = input;
  onStep('check-values');
  checkInstallable(input.chart, capabilities.kubeVersion.version);
  const chart = processDependencies(input.chart, values);
  const seen = coalesceValues(chart, values);
  await validateValues(chart, seen);
  onStep('render-templates');
  const { manifest, hooks, notes } = await renderChart(chart, seen, {
    release: { name, namespace, revision, isInstall: !isUpgrade, isUpgrade },
    capabilities,
    clock: clockFrom(input.nowMs),
    randomBytes,
    lookup,
    subNotes,
  });
  onStep('read-manifest');
  const objects = readManifest(manifest);
  if (objects.reduce((sum, { content }) => sum + countValues(content), 0) > maxObjectValues)
    throw limitError({ of: 'manifest-values', max: maxObjectValues });
  checkHooks(hooks);
  return { chart, manifest, hooks, notes, objects };
}

/** Returns a clock that starts at `nowMs` and runs from there. */
function clockFrom(nowMs: number): Clock {
  const startMs = performance.now();
  return { ...systemClock, now: () => nowMs + (performance.now() - startMs) };
}
