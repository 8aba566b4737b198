import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { KUBE_FACTS } from '../../messages/kube.ts';
import { connect } from '../connection/connect.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { type McpReader, SharedClient } from '../mcp/reader.ts';
import { withMessage } from '../messages/errors.ts';
import { debugText, errorText } from '../output/error-text.ts';
import { planMcp } from '../plan/mcp/plan-mcp.ts';
import { planProgram } from '../plan/plan-program.ts';

/** Serves an agent until its client closes the connection or the program stops. */
export async function mcp(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planMcp(context, raw);
  const { debug } = planProgram(context, raw);
  const shared = new SharedClient(() => connect(context, plan.connection, { debug, readOnly: true }));
  const reader: McpReader = {
    client: () => shared.get(),
    clock: context.clock,
    allowedNamespaces: plan.allowedNamespaces,
    redacts: plan.redacts,
    onError: (error) => void report(context, shared.revealed(error), debug),
  };
  try {
    if (plan.http === undefined) {
      const { serveOverStdio } = await import('../mcp/serve-stdio.ts');
      await serveOverStdio(reader, context.version, context.signal);
    } else {
      const { serveOverHttp } = await import('../mcp/serve-http.ts');
      await serveOverHttp(context, reader, plan.http);
    }
  } finally {
    shared.close();
  }
  context.signal.throwIfAborted();
  return EXIT.done;
}

/** Reports to standard error, which the client keeps for the person who runs it. */
async function report({ stderr }: CliContext, error: unknown, debug: boolean): Promise<void> {
  // Only the agent needs to know of a mistake in its arguments. But answers hide a mistake in the kubeconfig.
  const isOfCall =
    error instanceof CodedError && error.exit === 'usage' && !Object.hasOwn(KUBE_FACTS, error.code);
  if (isOfCall) return;
  if (error instanceof CodedError) await stderr.write(errorText(await withMessage(error)));
  if (debug || !(error instanceof CodedError)) await stderr.write(debugText(error));
}
