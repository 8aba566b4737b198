import { join } from 'node:path';
import { cacheDirectory } from '../cache/cache-directory.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { debugText } from '../output/error-text.ts';
import type { Offer } from './candidate.ts';
import { type Asker, answerFor } from './for-shell.ts';
import { offerFor } from './offer.ts';
import { readLine } from './read-line.ts';
import { expanded, type Headed, headOf, unquoted } from './shell-quotes.ts';
import { SHELLS } from './shells.ts';

/** How long Tab may wait for a cluster; logtool offers the answers until then. */
const LIVE_TIMEOUT_MS = 800;
/** Slow credential plugins need longer: the seconds a user is willing to wait instead. */
const TIMEOUT_VARIABLE = 'LOGTOOL_COMPLETION_TIMEOUT';
/** The start of the word that bash leaves unchanged, including quotes: `--namespace="`. */
const KEPT_VARIABLE = 'LOGTOOL_COMPLETION_KEPT';
/** For a source that ignores an abort. */
const GRACE_MS = 50;

/**
 * `__complete:SHELL WORD...`, or without a shell when kubectl calls it (kubernetes.io: Extend kubectl with
 * plugins). The words after the program's name follow; the last one is being completed. They include their
 * quotes if the shell passes them. Writes only the output of for-shell.ts: a message at Tab would disturb the
 * user, so a failure only means fewer offers. LOGTOOL_DEBUG reports the failure.
 */
export async function complete(context: CliContext): Promise<ExitCode> {
  const asker = askerOf(context.argv[0]?.split(':')[1]);
  const args = context.argv.slice(1);
  // PowerShell cannot pass an empty word, so an extra character precedes the last one.
  const typed = (args.pop() ?? '').slice(asker === 'powershell' ? 1 : 0);
  const head = headOf(typed, (segment, expand) => cooked(asker, segment, expand ? context : undefined));
  const last = head === undefined ? cooked(asker, typed) : head.text + typed.slice(head.typed.length);
  const kept = asker === 'bash' ? (context.env[KEPT_VARIABLE] ?? '') : '';
  const line = readLine([...args.map((each) => cooked(asker, each, context)), last]);
  const stop = new AbortController();
  const onAbort = () => stop.abort(context.signal.reason);
  context.signal.addEventListener('abort', onAbort);
  const reported = (error: unknown) => {
    if (context.env.LOGTOOL_DEBUG) void context.stderr.write(debugText(error));
  };
  const directory = cacheDirectory(context.env, () => context.homeDirectory);
  const offered = offerFor(line, {
    context,
    signal: stop.signal,
    cacheDirectory: directory === undefined ? undefined : join(directory, 'completion'),
    onFailure: reported,
  }).catch((error: unknown): Offer => {
    reported(error);
    return { candidates: [] };
  });
  const timeoutMs = timeoutOf(context.env[TIMEOUT_VARIABLE]);
  const cancels: (() => void)[] = [];
  const tooLate = new Promise<Offer>((resolve) => {
    const end = () => resolve({ candidates: [] });
    cancels.push(context.clock.after(timeoutMs, () => stop.abort(new Error('the time is up'))));
    cancels.push(context.clock.after(timeoutMs + GRACE_MS, end));
  });
  const offer = await Promise.race([offered, tooLate]);
  for (const cancel of cancels) cancel();
  stop.abort();
  context.signal.removeEventListener('abort', onAbort);
  await context.stdout.write(answerFor(asker, typed, offer, { head, kept: headed(asker, kept, context) }));
  return EXIT.done;
}

function headed(asker: Asker, typed: string, context: CliContext): Headed | undefined {
  return typed === '' ? undefined : { typed, text: cooked(asker, typed, context) };
}

function timeoutOf(seconds: string | undefined): number {
  return /^\d{1,3}(\.\d+)?$/.test(seconds ?? '') ? Number(seconds) * 1000 : LIVE_TIMEOUT_MS;
}

function askerOf(name: string | undefined): Asker {
  return SHELLS.find((shell) => shell === name) ?? 'kubectl';
}

/** The shell that called kubectl has removed the quotes already; fish and PowerShell remove them too. */
function cooked(asker: Asker, text: string, context?: CliContext): string {
  if (asker === 'kubectl' || asker === 'powershell') return text;
  if (asker === 'fish' && context !== undefined) return expanded(text, context.env);
  return unquoted(text, context?.env);
}
