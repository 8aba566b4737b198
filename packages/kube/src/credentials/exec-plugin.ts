import { booleanField, objectField, objectListField, textField, textListField } from '../config/fields.ts';
import { InvalidField, withinField } from '../config/invalid-field.ts';
import type { Entry } from '../config/kubeconfig.ts';
import { LogtoolError } from '../values/errors.ts';
import type { CredentialContext } from './choose.ts';
import type { Credential, Grant } from './credential.ts';
import { EXEC_API_VERSIONS, type ExecAnswer, execInfo, readExecAnswer } from './exec-info.ts';
import { type ExecCommand, runExecCommand } from './exec-run.ts';
import { checkPluginPolicy } from './plugin-policy.ts';
import { resolveBeside } from './read-data.ts';
import { singleFlight } from './single-flight.ts';

/** A hundred streams that want credentials at the same time, each at its own pace, must not run it a hundred times. */
const FAILURE_KEPT_MS = 3_000;

/**
 * An exec plugin (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins).
 * Its answer is kept until its expirationTimestamp, or until the server refuses it; one run at a time serves all
 * requests, and so does its failure for a moment. Throws InvalidField; the credential throws LogtoolError `exec-plugin-missing`, `exec-plugin-failed`.
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
      onSilent: () => {
        const text = `waiting for the credential plugin ${command.shown}, which says nothing so far; Ctrl-C ends it`;
        context.onNotice({ code: 'exec-plugin-slow', text });
      },
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
    close: () => flight.close(new Error('the connection was closed')),
  };
}

function decodeExec(user: Entry, context: CredentialContext): { command: ExecCommand; apiVersion: string } {
  const exec = objectField(user.fields, 'exec');
  return withinField(['exec'], () => {
    const name = textField(exec, 'command');
    if (name === '') throw new InvalidField(['command'], 'is not set');
    const apiVersion = textField(exec, 'apiVersion');
    if (!EXEC_API_VERSIONS.includes(apiVersion)) {
      throw new InvalidField(
        ['apiVersion'],
        `should be ${EXEC_API_VERSIONS.join(' or ')}, not ${apiVersion || 'empty'}`,
      );
    }
    const interactive = isInteractive(
      textField(exec, 'interactiveMode'),
      apiVersion,
      name,
      context.interactive,
    );
    const env: Record<string, string | undefined> = { ...context.env };
    for (const variable of objectListField(exec, 'env')) {
      const key = textField(variable, 'name');
      // Node refuses such names and values with an error that names neither.
      if (key === '' || /[=\0]/.test(key))
        throw new InvalidField(['env'], 'has a name that no variable can have');
      env[key] = textField(variable, 'value').replaceAll('\0', '');
    }
    const told = booleanField(exec, 'provideClusterInfo') ? context.cluster : undefined;
    env.KUBERNETES_EXEC_INFO = execInfo(apiVersion, interactive, told);
    const args = textListField(exec, 'args');
    if ([name, ...args].some((text) => text.includes('\0')))
      throw new InvalidField(['args'], 'has a NUL in it');
    const command: ExecCommand = {
      // With a folder in it, it is a path beside the kubeconfig; else it is looked for in PATH.
      file: /[/\\]/.test(name) ? resolveBeside(user.file, name) : name,
      shown: name,
      args,
      env,
      interactive,
      installHint: textField(exec, 'installHint'),
    };
    return { command, apiVersion };
  });
}

function isInteractive(mode: string, apiVersion: string, name: string, terminal: boolean): boolean {
  switch (mode) {
    case 'Never':
      return false;
    case 'IfAvailable':
      return terminal;
    case 'Always':
      if (terminal) return true;
      throw new LogtoolError({
        code: 'exec-plugin-failed',
        what: `the credential plugin ${name} cannot run here`,
        why: 'its interactiveMode is Always, and standard input is not a terminal',
        next: 'run in a terminal, or use other credentials',
      });
    case '':
      if (apiVersion.endsWith('/v1beta1')) return terminal;
      throw new InvalidField(['interactiveMode'], 'must be set with client.authentication.k8s.io/v1');
    default:
      throw new InvalidField(['interactiveMode'], `should be Never, IfAvailable or Always, not ${mode}`);
  }
}
