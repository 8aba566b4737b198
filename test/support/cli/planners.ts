import type { CliContext } from '@logtool/logtool/src/cli/context.ts';
import type { RawArguments } from '@logtool/logtool/src/cli/flags/flag.ts';
import { planAgent } from '@logtool/logtool/src/cli/plan/agent/plan-agent.ts';
import { planApi } from '@logtool/logtool/src/cli/plan/api/plan-api.ts';
import {
  planInstall,
  planList,
  planRollback,
  planShow,
  planUninstall,
  planUpgrade,
} from '@logtool/logtool/src/cli/plan/cluster/plan-cluster.ts';
import { planRepository, planRepositoryAdd } from '@logtool/logtool/src/cli/plan/cluster/plan-repository.ts';
import { planEvents } from '@logtool/logtool/src/cli/plan/events/plan-events.ts';
import { planLogs } from '@logtool/logtool/src/cli/plan/logs/plan-logs.ts';
import { planMcp } from '@logtool/logtool/src/cli/plan/mcp/plan-mcp.ts';
import { planConfigInit, planConfigShow } from '@logtool/logtool/src/cli/plan/plan-config.ts';
import { planDemo } from '@logtool/logtool/src/cli/plan/plan-demo.ts';
import { planVersion } from '@logtool/logtool/src/cli/plan/plan-version.ts';
import type { CommandName, Plans } from '@logtool/logtool/src/cli/plan/plans.ts';
import { planServe } from '@logtool/logtool/src/cli/plan/serve/plan-serve.ts';
import { planWhy } from '@logtool/logtool/src/cli/plan/why/plan-why.ts';

type Planners = {
  readonly [C in CommandName]: (context: CliContext, raw: RawArguments) => Plans[C] | Promise<Plans[C]>;
};

/** The planner of each command. */
export const PLANNERS: Planners = {
  logs: planLogs,
  events: planEvents,
  why: planWhy,
  serve: planServe,
  mcp: planMcp,
  agent: planAgent,
  api: planApi,
  'cluster install': planInstall,
  'cluster upgrade': planUpgrade,
  'cluster rollback': planRollback,
  'cluster uninstall': planUninstall,
  'cluster list': planList,
  'cluster status': (context, raw) => planShow(context, raw, 'cluster status'),
  'cluster history': (context, raw) => planShow(context, raw, 'cluster history'),
  'cluster repo add': planRepositoryAdd,
  'cluster repo update': (context, raw) => planRepository(context, raw, 'cluster repo update'),
  'cluster repo remove': (context, raw) => planRepository(context, raw, 'cluster repo remove'),
  'config init': planConfigInit,
  'config show': planConfigShow,
  'config path': () => ({}),
  demo: planDemo,
  completion: () => ({}),
  version: planVersion,
  help: () => ({}),
};
