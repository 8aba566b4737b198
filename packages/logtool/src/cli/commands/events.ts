import type { KubeClient } from '@logtool/kube/src/client.ts';
import { readFacts } from '../../happenings/read-facts.ts';
import { readSources } from '../../resolve/sources/read-sources.ts';
import type { CliContext } from '../context.ts';
import { EventScreen } from '../events/event-screen.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import type { LogsServices } from '../logs/logs-services.ts';
import type { EventsPlan } from '../plan/events/events-plan.ts';
import { planEvents } from '../plan/events/plan-events.ts';
import { planProgram } from '../plan/plan-program.ts';

type EventsServices = Pick<LogsServices, 'connect' | 'resolve'>;

/**
 * `logtool events SOURCE...`: shows what happened in the cluster to the sources and to everything they own.
 */
export async function events(
  context: CliContext,
  raw: RawArguments,
  services: EventsServices = LAZY_SERVICES,
): Promise<ExitCode> {
  const plan = await planEvents(context, raw);
  // A wrong source fails before logtool connects.
  readSources(plan.source);
  const client = await services.connect(context, plan.connection, planProgram(context, raw));
  try {
    return await runEvents(context, plan, client, services);
  } finally {
    client.close();
  }
}

/** Prints the facts; with --follow, until interrupted. */
async function runEvents(
  context: CliContext,
  plan: EventsPlan,
  client: KubeClient,
  { resolve }: Pick<EventsServices, 'resolve'>,
): Promise<ExitCode> {
  const { clock, signal } = context;
  const query = { ...plan.query, fold: { clock } };
  const screen = new EventScreen(context, plan);
  for await (const frame of readFacts({ client, signal, resolve }, plan.source, query)) {
    signal.throwIfAborted();
    await screen.take(frame);
  }
  signal.throwIfAborted();
  await screen.finish();
  return screen.hasFailed ? EXIT.failure : EXIT.done;
}

const LAZY_SERVICES: EventsServices = {
  connect: async (...given) => (await import('../connection/connect.ts')).connect(...given),
  async *resolve(...given) {
    const { resolveSources } = await import('../../resolve/resolve-sources.ts');
    yield* resolveSources(...given);
  },
};
