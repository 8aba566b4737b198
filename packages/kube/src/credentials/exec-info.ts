import { field, isPlainObject, textField } from '../config/fields.ts';
import { InvalidField } from '../config/invalid-field.ts';
import type { Plain } from '../config/kubeconfig.ts';
import { LogtoolError } from '../values/errors.ts';
import { parseTimestamp, timestampToMs } from '../values/timestamp.ts';
import type { Grant } from './credential.ts';
import { headerValue } from './header-value.ts';

export const EXEC_API_VERSIONS: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

/** The cluster as KUBERNETES_EXEC_INFO tells it; field names are those of the ExecCredential API. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  /** Base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  /** The cluster's extension `client.authentication.k8s.io/exec`. */
  readonly config?: Plain;
}

/** What KUBERNETES_EXEC_INFO holds (https://kubernetes.io/docs/reference/config-api/client-authentication.v1/). */
export function execInfo(apiVersion: string, interactive: boolean, cluster: ExecCluster | undefined): string {
  const spec = cluster === undefined ? { interactive } : { cluster, interactive };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

export interface ExecAnswer {
  readonly grant: Grant;
  /** Milliseconds since the epoch; undefined: good until the server refuses it. */
  readonly expiresAtMs: number | undefined;
}

/** Reads what a plugin wrote. Throws LogtoolError `exec-plugin-failed`; never quotes the output, it has secrets. */
export function readExecAnswer(output: string, apiVersion: string, command: string): ExecAnswer {
  let document: Plain;
  try {
    document = JSON.parse(output) as Plain;
  } catch (cause) {
    throw badAnswer(command, 'what it wrote is not JSON', cause);
  }
  try {
    return answerOf(document);
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    throw badAnswer(command, `in what it wrote, ${error.path.join('.')} ${error.message}`, error);
  }

  function answerOf(credential: Plain): ExecAnswer {
    if (!isPlainObject(credential)) throw badAnswer(command, 'what it wrote is not an ExecCredential');
    if (textField(credential, 'kind') !== 'ExecCredential')
      throw badAnswer(command, 'its answer is not of kind ExecCredential');
    const version = textField(credential, 'apiVersion');
    if (version !== apiVersion) {
      throw badAnswer(
        command,
        `the kubeconfig asks for ${apiVersion}, it answered in ${version || 'no version'}`,
      );
    }
    const status = field(credential, 'status');
    if (!isPlainObject(status)) throw badAnswer(command, 'its answer has no status');
    const token = textField(status, 'token');
    const cert = textField(status, 'clientCertificateData');
    const key = textField(status, 'clientKeyData');
    if (token === '' && cert === '' && key === '')
      throw badAnswer(command, 'its answer has neither token nor certificate');
    if ((cert === '') !== (key === ''))
      throw badAnswer(command, 'its answer has only one of certificate and key');
    const grant = {
      authorization: token === '' ? undefined : `Bearer ${headerValue('token of the plugin', token)}`,
      certificate: cert === '' ? undefined : { cert, key },
    };
    return { grant, expiresAtMs: expiry(textField(status, 'expirationTimestamp')) };
  }

  function expiry(text: string): number | undefined {
    if (text === '') return undefined;
    const at = parseTimestamp(text);
    if (at === undefined)
      throw badAnswer(command, `its expirationTimestamp is no RFC 3339 time: ${text.slice(0, 80)}`);
    return timestampToMs(at);
  }
}

function badAnswer(command: string, why: string, cause?: unknown): LogtoolError {
  return new LogtoolError({
    code: 'exec-plugin-failed',
    what: `the credential plugin ${command} gave no usable answer`,
    why,
    next: `run ${command} by hand, and check that its version fits the kubeconfig`,
    cause,
  });
}
