import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { planAgent } from '../plan/agent/plan-agent.ts';
import {
  planInstall,
  planList,
  planRollback,
  planShow,
  planUninstall,
  planUpgrade,
} from '../plan/cluster/plan-cluster.ts';
import { planRepository, planRepositoryAdd } from '../plan/cluster/plan-repository.ts';
import { planEvents } from '../plan/events/plan-events.ts';
import { planLogs } from '../plan/logs/plan-logs.ts';
import { planMcp } from '../plan/mcp/plan-mcp.ts';
import { planConfigInit, planConfigShow } from '../plan/plan-config.ts';
import { planDemo } from '../plan/plan-demo.ts';
import { planVersion } from '../plan/plan-version.ts';
import type { CommandName, Plans } from '../plan/plans.ts';
import { planServe } from '../plan/serve/plan-serve.ts';
import { planWhy } from '../plan/why/plan-why.ts';

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
