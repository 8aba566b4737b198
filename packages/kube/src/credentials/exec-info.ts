import { field, isPlainObject, textField } from '../config/fields.ts';
import { InvalidField } from '../config/invalid-field.ts';
import type { Plain, PlainObject } from '../config/kubeconfig.ts';
import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import { parseTimestamp, timestampToMs } from '../values/timestamp.ts';
import type { Grant } from './credential.ts';
import { headerValue } from './header-value.ts';

export const EXEC_API_VERSIONS: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

/** The cluster as in KUBERNETES_EXEC_INFO; field names are those of the ExecCredential API. */
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

/** Reads what a plugin wrote. Throws CodedError `exec-plugin-failed`; never quotes the output, it has secrets. */
export function readExecAnswer(output: string, apiVersion: string, command: string): ExecAnswer {
  let document: Plain;
  try {
    document = JSON.parse(output) as Plain;
  } catch (cause) {
    throw badAnswer(command, 'what it wrote is not JSON', cause);
  }
  try {
    const status = checkedStatus(document, apiVersion);
    return { grant: grantOf(status), expiresAtMs: expiryOf(status) };
  } catch (error) {
    if (error instanceof UnusableAnswer) throw badAnswer(command, error.message);
    if (!(error instanceof InvalidField)) throw error;
    throw badAnswer(command, `in what it wrote, ${error.path.join('.')} ${error.message}`, error);
  }
}

/** The answer is no ExecCredential that this client can use; the message says why. */
class UnusableAnswer extends Error {}

function checkedStatus(document: Plain, apiVersion: string): PlainObject {
  if (!isPlainObject(document)) throw new UnusableAnswer('what it wrote is not an ExecCredential');
  if (textField(document, 'kind') !== 'ExecCredential')
    throw new UnusableAnswer('its answer is not of kind ExecCredential');
  const version = textField(document, 'apiVersion');
  if (version !== apiVersion)
    throw new UnusableAnswer(
      `the kubeconfig asks for ${apiVersion}, it answered in ${version || 'no version'}`,
    );
  const status = field(document, 'status');
  if (!isPlainObject(status)) throw new UnusableAnswer('its answer has no status');
  return status;
}

function grantOf(status: PlainObject): Grant {
  const token = textField(status, 'token');
  const cert = textField(status, 'clientCertificateData');
  const key = textField(status, 'clientKeyData');
  if (token === '' && cert === '' && key === '')
    throw new UnusableAnswer('its answer has neither token nor certificate');
  if ((cert === '') !== (key === ''))
    throw new UnusableAnswer('its answer has only one of certificate and key');
  return {
    authorization: token === '' ? undefined : `Bearer ${headerValue('token of the plugin', token)}`,
    certificate: cert === '' ? undefined : { cert, key },
  };
}

/** Milliseconds since the epoch; undefined if the answer has no end. */
function expiryOf(status: PlainObject): number | undefined {
  const text = textField(status, 'expirationTimestamp');
  if (text === '') return undefined;
  const at = parseTimestamp(text);
  if (at === undefined)
    throw new UnusableAnswer(`its expirationTimestamp is no RFC 3339 time: ${text.slice(0, 80)}`);
  return timestampToMs(at);
}

function badAnswer(plugin: string, why: string, cause?: unknown): CodedError {
  return kubeFailure('exec-plugin-failed', { problem: 'answer', plugin, why }, { cause });
}
