import { booleanField, objectField, objectListField, textField, textListField } from '../config/fields.ts';
import { InvalidField, withinField } from '../config/invalid-field.ts';
import type { Entry, PlainObject } from '../config/kubeconfig.ts';
import { kubeFailure } from '../values/failures.ts';
import { ProblemError } from '../values/problems.ts';
import type { Credential, Grant } from './credential.ts';
import type { CredentialContext } from './credential-context.ts';
import { EXEC_API_VERSIONS, type ExecAnswer, execInfo, readExecAnswer } from './exec-info.ts';
import { type ExecCommand, runExecCommand } from './exec-run.ts';
import { checkPluginPolicy } from './plugin-policy.ts';
import { resolveBeside } from './read-data.ts';
import { singleFlight } from './single-flight.ts';

/**
 * How long a failure is kept: a hundred streams that ask for credentials at slightly different times must not run the
 * plugin a hundred times.
 */
const FAILURE_KEPT_MS = 3_000;

/**
 * An exec plugin
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins). Keeps its
 * credentials until their expirationTimestamp, or until the server rejects them. One run at a time serves all requests;
 * a failed run also answers requests for a moment. Throws InvalidField; the credential throws CodedError
 * `exec-plugin-missing`, `exec-plugin-failed`.
 */
export function execCredential(user: Entry, context: CredentialContext): Credential {
  const { command, apiVersion } = decodeExec(user, context);
  let kept: ExecAnswer | undefined;
  let failure: { readonly error: unknown; readonly untilMs: number } | undefined;
  const flight = singleFlight(async (signal) => {
    if (failure !== undefined && context.clock.steady() < failure.untilMs) throw failure.error;
    failure = undefined;
    try {
      return await ask(signal);
    } catch (error) {
      if (!signal.aborted) failure = { error, untilMs: context.clock.steady() + FAILURE_KEPT_MS };
      throw error;
    }
  });
  const ask = async (signal: AbortSignal): Promise<Grant> => {
    const file = await checkPluginPolicy(command.file, command.env, context);
    const output = await runExecCommand({ ...command, file }, context.clock, signal, {
      onShown: context.onPluginOutput,
      onSilent: () => context.onNotice({ code: 'exec-plugin-slow', data: { plugin: command.shown } }),
    });
    kept = readExecAnswer(output, apiVersion, command.shown);
    return kept.grant;
  };

  return {
    async grant(signal) {
      const isGood =
        kept !== undefined && (kept.expiresAtMs ?? Number.POSITIVE_INFINITY) > context.clock.now();
      return isGood && kept !== undefined ? kept.grant : flight.run(signal);
    },

    async renew(sent: Grant, signal) {
      if (kept?.grant === sent) {
        kept = undefined;
        await flight.run(signal);
      }
      return kept?.grant !== sent;
    },
    close: () => flight.close(new ProblemError({ code: 'connection-closed', data: {} })),
  };
}

function decodeExec(user: Entry, context: CredentialContext): { command: ExecCommand; apiVersion: string } {
  const exec = objectField(user.fields, 'exec');
  return withinField(['exec'], () => {
    const name = textField(exec, 'command');
    if (name === '') throw new InvalidField(['command'], { problem: 'not-set' });
    const apiVersion = textField(exec, 'apiVersion');
    if (!EXEC_API_VERSIONS.includes(apiVersion)) {
      throw new InvalidField(['apiVersion'], {
        problem: 'value',
        expected: EXEC_API_VERSIONS,
        found: apiVersion,
      });
    }
    const mode = textField(exec, 'interactiveMode');
    const interactive = isInteractive(mode, apiVersion, name, context.interactive);
    const cluster = booleanField(exec, 'provideClusterInfo') ? context.cluster : undefined;
    const command: ExecCommand = {
      // A name that contains a folder is a path relative to the kubeconfig; PATH resolves any other.
      file: /[/\\]/.test(name) ? resolveBeside(user.file, name) : name,
      shown: name,
      args: argumentsOf(exec, name),
      env: {
        ...context.env,
        ...variablesOf(exec),
        KUBERNETES_EXEC_INFO: execInfo(apiVersion, interactive, cluster),
      },
      interactive,
      installHint: textField(exec, 'installHint'),
    };
    return { command, apiVersion };
  });
}

/**
 * Reads the plugin's variables. Checks them here, because Node's error for names and values that the system cannot hold
 * names neither.
 */
function variablesOf(exec: PlainObject): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const variable of objectListField(exec, 'env')) {
    const name = textField(variable, 'name');
    if (name === '' || /[=\0]/.test(name)) throw new InvalidField(['env'], { problem: 'variable-name' });
    variables[name] = textField(variable, 'value').replaceAll('\0', '');
  }
  return variables;
}

function argumentsOf(exec: PlainObject, name: string): readonly string[] {
  const args = textListField(exec, 'args');
  if ([name, ...args].some((text) => text.includes('\0')))
    throw new InvalidField(['args'], { problem: 'nul' });
  return args;
}

function isInteractive(mode: string, apiVersion: string, name: string, terminal: boolean): boolean {
  switch (mode) {
    case 'Never':
      return false;
    case 'IfAvailable':
      return terminal;
    case 'Always':
      if (terminal) return true;
      throw kubeFailure('exec-plugin-failed', { problem: 'no-terminal', plugin: name });
    case '':
      if (apiVersion.endsWith('/v1beta1')) return terminal;
      throw new InvalidField(['interactiveMode'], { problem: 'needed', apiVersion });
    default:
      throw new InvalidField(['interactiveMode'], {
        problem: 'value',
        expected: ['Never', 'IfAvailable', 'Always'],
        found: mode,
      });
  }
}
