import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import type { CommandName } from '../plan/plans.ts';

export type RunCommand = (context: CliContext, raw: RawArguments) => Promise<ExitCode>;

/** Loads the code of a command on first use, so that each command loads only what it needs. */
export const loadCommand: { readonly [C in CommandName]: () => Promise<RunCommand> } = {
  logs: async () => (await import('./logs.ts')).logs,
  events: async () => (await import('./events.ts')).events,
  why: async () => (await import('./why.ts')).why,
  serve: async () => (await import('./serve.ts')).serve,
  mcp: async () => (await import('./mcp.ts')).mcp,
  agent: async () => (await import('./agent.ts')).agent,
  api: async () => (await import('./api.ts')).api,
  'cluster install': async () => (await import('./cluster/install.ts')).clusterInstall,
  'cluster upgrade': async () => (await import('./cluster/upgrade.ts')).clusterUpgrade,
  'cluster rollback': async () => (await import('./cluster/rollback.ts')).clusterRollback,
  'cluster uninstall': async () => (await import('./cluster/uninstall.ts')).clusterUninstall,
  'cluster list': async () => (await import('./cluster/list.ts')).clusterList,
  'cluster status': async () => (await import('./cluster/status.ts')).clusterStatus,
  'cluster history': async () => (await import('./cluster/history.ts')).clusterHistory,
  'cluster repo add': async () => (await import('./cluster/repo/add.ts')).clusterRepoAdd,
  'cluster repo update': async () => (await import('./cluster/repo/update.ts')).clusterRepoUpdate,
  'cluster repo remove': async () => (await import('./cluster/repo/remove.ts')).clusterRepoRemove,
  'config init': async () => (await import('./config-init.ts')).configInit,
  'config show': async () => (await import('./config-show.ts')).configShow,
  'config path': async () => (await import('./config-path.ts')).configPath,
  demo: async () => (await import('./demo.ts')).demo,
  completion: async () => (await import('./completion.ts')).completion,
  version: async () => (await import('./version.ts')).version,
  help: async () => (await import('./help.ts')).help,
};
