import type { KubeClient } from '@logtool/kube/src/client.ts';
import { openBackend } from '../../backend/open-backend.ts';
import { isFiltering } from '../../domain/filter.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import type { FactFeed } from '../../happenings/fact-feed.ts';
import type { FoundObject } from '../../resolve/resolve.ts';
import { type NamedPod, namedPod } from '../../resolve/sources/named-pod.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { createFormat } from '../output/format/create-format.ts';
import { limitBytes } from '../output/limit-bytes.ts';
import { Printer } from '../output/printer.ts';
import type { LogProgress } from '../output/progress/log-progress.ts';
import type { LogsPlan } from '../plan/logs/logs-plan.ts';
import type { LogScreen } from './log-screen.ts';
import type { LogsServices } from './logs-services.ts';

/**
 * Connections in addition to the first: for this many logs with one each, and for their pods and owners
 * before that.
 */
const SPARE_CONNECTIONS = 4;

/** The cluster, the containers and the printer of one run of `logs`. */
export interface OpenLogs {
  readonly client: KubeClient;
  readonly printer: Printer;
  readonly signal: AbortSignal;
  readonly events: AsyncIterable<ResolveEvent>;
  /** logtool can request the log of this pod before it resolves the sources. */
  readonly guess: NamedPod | undefined;
  /** What happens in the cluster, if the user wants it among the records. */
  readonly feed: FactFeed | undefined;
  close(): void;
}

/** Connects, and starts to resolve the sources. */
export async function openLogs(
  { context, status, progress }: LogScreen,
  plan: LogsPlan,
  { resolve }: Pick<LogsServices, 'resolve'>,
  connecting: Promise<KubeClient>,
): Promise<OpenLogs> {
  const { window } = plan.engine;
  const format = await createFormat(plan.output, context);
  const facts = plan.events === 'none' ? undefined : await import('./with-facts.ts');
  const printer = new Printer(
    context,
    {
      output: plan.output,
      window,
      countIsDefault: plan.countIsDefault,
      failEmpty: plan.failEmpty,
      skipsRotated: plan.rotated === 'no',
      filtered: isFiltering(plan.engine.filter),
    },
    format,
    { status, progress, facts: await facts?.openFormat(plan, context) },
  );
  const client = await connected(connecting, progress);
  progress.begin('resolving');
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const guess = namedPod(plan.source, client.cluster.namespace);
  if (guess === undefined) client.warm?.(SPARE_CONNECTIONS);
  const feed = facts?.openFeed(plan, client, { clock: context.clock, signal });
  const onObject = feed && ((found: FoundObject) => feed.see(found));
  const resolved = resolve(client, plan.source, { follow: window.follow, signal, onObject });
  const events = watched(resolved, printer, () => feed?.synced());
  const close = () => stop.abort();
  return { client, printer, signal, events, guess, feed, close };
}

/** Resolves, reads and prints until the window is complete or the program stops. */
export async function runLogs(
  screen: LogScreen,
  plan: LogsPlan,
  services: Pick<LogsServices, 'resolve' | 'read'>,
  connecting: Promise<KubeClient>,
): Promise<ExitCode> {
  const { context } = screen;
  const opened = await openLogs(screen, plan, services, connecting);
  const { client, printer, signal, events, guess, feed } = opened;
  try {
    const backend = await openBackend(plan, client, context.clock);
    const frames = await services.read({ client, clock: context.clock, signal, backend }, events, {
      ...plan.engine,
      guess,
    });
    const limited = plan.limitBytes === undefined ? frames : limitBytes(frames, plan.limitBytes);
    const { openFrames } = feed === undefined ? {} : await import('./with-facts.ts');
    const all = openFrames?.(limited, feed, plan, context) ?? limited;
    for await (const frame of all) {
      // An interrupted read must not report its result as complete, least of all an end of the logs.
      context.signal.throwIfAborted();
      await printer.print(frame);
    }
    context.signal.throwIfAborted();
    await printer.finish();
  } finally {
    opened.close();
    await printer.leave();
  }
  return printer.failures === 0 ? EXIT.done : EXIT.failure;
}

/** Returns a client whose logs `progress` counts. */
async function connected(connecting: Promise<KubeClient>, progress: LogProgress): Promise<KubeClient> {
  try {
    return progress.watch(await connecting);
  } catch (error) {
    await progress.end();
    throw error;
  }
}

/** Passes events on to the engine, and reports containers to the columns and failures to the user. */
async function* watched(
  events: AsyncIterable<ResolveEvent>,
  printer: Printer,
  onSynced: () => void,
): AsyncGenerator<ResolveEvent> {
  for await (const event of events) {
    switch (event.type) {
      case 'added':
      case 'changed':
        printer.see(event.target);
        break;
      case 'gone':
        printer.forget(event.target);
        break;
      case 'synced':
        onSynced();
        await printer.synced();
        break;
      case 'notice':
        await printer.notice(event);
        continue;
      case 'failed':
        await printer.fail(event.error);
        continue;
      case 'closing':
        break;
      default:
        event satisfies never;
    }
    yield event;
  }
}
