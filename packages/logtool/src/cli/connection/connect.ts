import { join } from 'node:path';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import type { SessionStore } from '@logtool/kube/src/connection/tls-contexts.ts';
import { type ClusterClient, createKubeClient } from '@logtool/kube/src/create-client.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { cacheDirectory } from '../cache/cache-directory.ts';
import { removeSessions, sessionFiles } from '../cache/session-files.ts';
import type { CliContext } from '../context.ts';
import { withMessage } from '../messages/errors.ts';
import { maskSecrets } from '../output/error-text.ts';
import type { ConnectionPlan } from '../plan/connection-plan.ts';

/** Where versions before 0.2.0 kept sessions, including those with client certificates. */
const EARLIER_SESSIONS = 'sessions';

/** Creates a client for the requested cluster. Makes no request yet. */
export async function connect(
  context: CliContext,
  plan: ConnectionPlan,
  options: { readonly debug: boolean; readonly readOnly?: boolean },
): Promise<ClusterClient> {
  const notify = (text: string) => void context.stderr.write(`${maskSecrets(sanitizeText(text))}\n`);
  const connection = await openConnection({
    ...plan,
    env: context.env,
    homeDirectory: context.homeDirectory,
    clock: context.clock,
    sessions: keptSessions(context),
    onNotice: async (notice) => notify((await import('../messages/kube.ts')).kubeNoticeText(notice)),
    onPluginOutput: (bytes) => void context.stderr.write(bytes),
  }).catch(async (error: unknown) => {
    throw await adviseContextLines(error, plan);
  });
  return createKubeClient(connection, {
    clock: context.clock,
    userAgent: `logtool/${context.version}`,
    readOnly: options.readOnly,
    asFlags: plan.asFlags,
    hasOwnToken: plan.bearer !== undefined,
    answerTimeoutMs: plan.requestTimeoutMs,
    connectTimeoutMs: plan.requestTimeoutMs,
    logAnswerTimeoutMs: plan.requestTimeoutMs,
    ...(options.debug
      ? {
          onRequest: ({ method, url, status, durationMs, error }) =>
            notify(`debug: ${method} ${url} ${status ?? error ?? 'no answer'} ${Math.round(durationMs)}ms`),
        }
      : {}),
  });
}

/** Advises on `--context=3`, grep's spelling for context lines: here it names a context. */
async function adviseContextLines(error: unknown, { context = '' }: ConnectionPlan): Promise<unknown> {
  const isMeant = error instanceof CodedError && error.code === 'unknown-context' && /^\d+$/.test(context);
  if (!isMeant) return error;
  const { ADVICE, readvised } = await import('../messages/advice.ts');
  const shown = await withMessage(error);
  return readvised(shown, ADVICE.contextLines(context, shown.next ?? ''));
}

/**
 * Keeps sessions only when Node runs the program: in the single executable a session saves almost nothing
 * (see TlsContexts).
 */
function keptSessions({ env, homeDirectory }: CliContext): SessionStore | undefined {
  const cache = cacheDirectory(env, () => homeDirectory);
  if (cache === undefined) return undefined;
  removeSessions(join(cache, EARLIER_SESSIONS));
  const directory = join(cache, 'tls-sessions');
  if (/^(0|false|no|off)$/i.test(env.LOGTOOL_TLS_SESSIONS ?? '')) {
    removeSessions(directory);
    return undefined;
  }
  return process.versions.bun === undefined ? sessionFiles(directory) : undefined;
}
