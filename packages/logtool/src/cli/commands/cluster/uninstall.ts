import { type Uninstalled, uninstall } from '@logtool/helm/src/actions/uninstall.ts';
import { targetText } from '@logtool/helm/src/apply/target.ts';
import type { HookEvent } from '@logtool/helm/src/release/release.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { keptText } from '../../messages/helm/releases.ts';
import { sanitizeLines } from '../../output/text-table.ts';
import { planUninstall } from '../../plan/cluster/plan-cluster.ts';
import { onCluster } from '../../releases/open-cluster.ts';

/** Removes a release. */
export async function clusterUninstall(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planUninstall(context, raw);
  return onCluster(context, plan, async (action, reporter) => {
    const removed = await uninstall(action, plan);
    await reporter.end();
    const { release, kept } = removed;
    if (plan.dryRun) {
      await context.stdout.write(sanitizeLines(dryRunText(removed, plan.keepHistory)));
      return EXIT.done;
    }
    const left = kept.map((one) => `  ${keptText(one)}\n`).join('');
    const text = `the release ${release.name} in the namespace ${release.namespace} is uninstalled\n${left === '' ? '' : `left in the cluster:\n${left}`}`;
    // The names come from a manifest stored in the cluster.
    await context.stdout.write(sanitizeLines(text));
    return EXIT.done;
  });
}

/** Lists what an uninstall would do, one step per line. */
function dryRunText({ release, deleted, kept }: Uninstalled, keepHistory: boolean): string {
  const { name, namespace, info, hooks } = release;
  const hooksOf = (event: HookEvent) =>
    info.status === 'uninstalled'
      ? []
      : hooks
          .filter(({ events }) => events.includes(event))
          .map((hook) => `would run the ${event} hook ${hook.name}`);
  const lines = [
    ...hooksOf('pre-delete'),
    ...deleted.map((target) => `would delete ${targetText(target)}`),
    ...kept.map((one) => `would keep ${keptText(one)}`),
    ...hooksOf('post-delete'),
    `would uninstall the release ${name} in the namespace ${namespace}${keepHistory ? ' and keep its history' : ''}`,
    'dry run: logtool changed nothing',
  ];
  return lines.map((line) => `${line}\n`).join('');
}
