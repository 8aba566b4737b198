import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { type Kept, keptText } from '../apply/kept.ts';
import { readLive } from '../apply/ownership.ts';
import type { Chart } from '../chart/chart.ts';
import type { Release } from '../release/release.ts';
import type { ActionContext, ChangeOptions } from './action.ts';
import { command } from './mend.ts';
import { rollback } from './rollback.ts';
import { tellReason } from './tell-reason.ts';
import { uninstall } from './uninstall.ts';

interface TakeBackOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  readonly chart: Chart;
}

/**
 * Takes away what an installation that failed has made, as --atomic asks for, and gives the error to throw, which names
 * what stays. `made` is what an uninstallation leaves: `the namespace shop`.
 */
export async function takeAway(
  context: ActionContext,
  options: TakeBackOptions,
  failure: unknown,
  made: readonly string[],
): Promise<unknown> {
  const what = `the installation of ${options.name} failed`;
  const { watched, kept } = noteKept(context);
  try {
    await uninstall(watched, { ...changeOnly(options), keepHistory: false });
  } catch (second) {
    return notTakenBack(context, what, failure, second, command(context.client, 'uninstall', options));
  }
  const left = [...(await keptWords(context, kept)), ...made];
  const done = `${what}; ${left.length === 0 ? 'everything that it had made was' : 'its other objects were'} taken away again (--atomic)`;
  return takenBack(context, done, failure, left, 'install');
}

/** As `takeAway`, of an upgrade: goes back to the last revision that was good. `mend` is the command for that. */
export async function goBack(
  context: ActionContext,
  options: TakeBackOptions,
  failure: unknown,
  good: Release,
  mend: string,
): Promise<unknown> {
  const what = `the upgrade of ${options.name} failed`;
  const { watched, kept } = noteKept(context);
  try {
    const back = await rollback(watched, { ...changeOnly(options), revision: good.version });
    const done = `${what}; revision ${back.version} is what revision ${good.version} was (--atomic)`;
    return takenBack(context, done, failure, await keptWords(context, kept), 'upgrade');
  } catch (second) {
    return notTakenBack(context, what, failure, second, mend);
  }
}

/** Whatever chart was asked for: what this action made is its own to take back. */
function changeOnly({ name, namespace, wait, timeoutMs, preflight, historyMax }: TakeBackOptions) {
  return { name, namespace, wait, timeoutMs, preflight, historyMax };
}

/** The context of an action that is listened to: what does it leave? */
function noteKept(context: ActionContext) {
  const kept: Kept[] = [];
  const watched: ActionContext = {
    ...context,
    onProgress(progress) {
      if (progress.kind === 'kept') kept.push(progress.kept);
      context.onProgress?.(progress);
    },
  };
  return { watched, kept };
}

/** Those of them that are there: an installation may have failed before it made them. */
async function keptWords({ client }: ActionContext, kept: readonly Kept[]): Promise<readonly string[]> {
  const words = await Promise.all(
    kept.map(async (one) => {
      // Where nobody knows, it is better to look for it than to forget it.
      const isThere = await readLive(client, one.target, {}).then(
        (live) => live !== undefined,
        () => true,
      );
      return isThere ? [keptText(one)] : [];
    }),
  );
  return words.flat();
}

/** Failures that tell to look at objects which are gone by now. */
const OF_OBJECTS = new Set(['wait-failed', 'wait-timeout', 'hook-failed']);

function takenBack(
  { client }: ActionContext,
  what: string,
  failure: unknown,
  left: readonly string[],
  again: 'install' | 'upgrade',
): LogtoolError {
  const stays = left.map((one) => `\nleft in the cluster: ${one}`).join('');
  const known = failure instanceof LogtoolError && !OF_OBJECTS.has(failure.code) ? failure.next : undefined;
  return new LogtoolError({
    code: 'release-taken-back',
    what,
    why: `${tellReason(client, failure)}${stays}`,
    next:
      known ??
      `fix what failed and ${again} again; without --atomic the release is kept, so that you can inspect it`,
    cause: failure,
  });
}

/**
 * The error where neither the action nor taking it back went well: both reasons, and the command that tries the second
 * one again. An interruption stays one.
 */
function notTakenBack(
  { client, signal }: ActionContext,
  what: string,
  failure: unknown,
  second: unknown,
  mend: string,
): unknown {
  if (signal?.aborted) return second;
  return new LogtoolError({
    code: 'release-not-taken-back',
    what: `${what}, and taking it back (--atomic) failed as well`,
    why: `${tellReason(client, failure)}\nthen: ${tellReason(client, second)}`,
    next: `once the cause is fixed: ${mend}`,
    cause: second,
  });
}
