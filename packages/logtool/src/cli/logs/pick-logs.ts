import type { KubeClient } from '@logtool/kube/src/client.ts';
import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { CliError } from '../messages/cli-error.ts';
import { commandFailure } from '../messages/errors.ts';
import { type Choices, listChoices } from '../picker/list-choices.ts';
import { pickSources } from '../picker/pick-sources.ts';
import type { LogsPlan } from '../plan/logs/logs-plan.ts';
import { type LogScreen, screenOf, statusOf } from './log-screen.ts';
import type { LogsServices } from './logs-services.ts';
import { runLogs } from './run-logs.ts';

/**
 * `logtool logs` without a source on a terminal: lists workloads and pods, asks which to open, and opens
 * them.
 */
export async function pickAndRun(
  context: CliContext,
  plan: LogsPlan,
  services: LogsServices,
  options: { readonly debug: boolean },
): Promise<ExitCode> {
  const line = statusOf(context, plan);
  const { client, found } = await connectAndList(line, plan, services, options);
  let sources: readonly string[] | undefined;
  try {
    const keyboard = context.keyboard?.();
    if (keyboard === undefined) throw new Error('the picker needs a keyboard');
    const given = context.argv.map(quoteArgument).join(' ');
    const commandOf = (picked: readonly string[]) =>
      `${context.program} ${given} ${picked.map(quoteArgument).join(' ')}`;
    sources = await pickSources(context, found, { keyboard, commandOf });
    context.signal.throwIfAborted();
  } catch (error) {
    client.close();
    throw error;
  }
  if (sources === undefined) {
    client.close();
    return EXIT.interrupted;
  }
  const picked = { ...plan, source: { ...plan.source, sources } };
  const screen = screenOf(context, picked, line);
  try {
    return await runLogs(screen, picked, services, Promise.resolve(client));
  } finally {
    await screen.progress.end();
    client.close();
  }
}

/** Lists what the user can pick. A terminal shows what logtool is waiting for until the list is ready. */
async function connectAndList(
  { status, context }: Pick<LogScreen, 'status' | 'context'>,
  { connection, source }: LogsPlan,
  services: Pick<LogsServices, 'connect'>,
  options: { readonly debug: boolean },
): Promise<{ readonly client: KubeClient; readonly found: Choices }> {
  let stage = 'connecting to the cluster';
  status.watch(() => stage);
  let client: KubeClient | undefined;
  try {
    client = await services.connect(context, connection, options);
    stage = 'listing workloads and pods';
    const namespaces = source.allNamespaces ? undefined : (source.namespaces ?? [client.cluster.namespace]);
    const found = await listChoices(client, { clock: context.clock, signal: context.signal, namespaces });
    if (found.choices.length === 0) throw nothingToPick(namespaces, found.notices);
    return { client, found };
  } catch (error) {
    client?.close();
    throw error;
  } finally {
    await status.close();
  }
}

function nothingToPick(namespaces: readonly string[] | undefined, notices: readonly string[]): CliError {
  return commandFailure('nothing-to-pick', { namespaces, notices });
}
