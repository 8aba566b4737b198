import { field, isPlainObject, textField } from '../config/fields.ts';
import { InvalidField } from '../config/invalid-field.ts';
import type { Plain, PlainObject } from '../config/kubeconfig.ts';
import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import { type KubeProblem, ProblemError } from '../values/problems.ts';
import { parseTimestamp, timestampToMs } from '../values/timestamp.ts';
import type { Grant } from './credential.ts';
import { headerValue } from './header-value.ts';

export const EXEC_API_VERSIONS: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

/** The cluster in KUBERNETES_EXEC_INFO; the field names are those of the ExecCredential API. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  /** Base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  /** From the cluster's extension `client.authentication.k8s.io/exec`. */
  readonly config?: Plain;
}

/**
 * Returns the value of KUBERNETES_EXEC_INFO
 * (https://kubernetes.io/docs/reference/config-api/client-authentication.v1/).
 */
export function execInfo(apiVersion: string, interactive: boolean, cluster: ExecCluster | undefined): string {
  const spec = cluster === undefined ? { interactive } : { cluster, interactive };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

export interface ExecAnswer {
  readonly grant: Grant;
  /** Milliseconds since the epoch; undefined: valid until the server rejects it. */
  readonly expiresAtMs: number | undefined;
}

/**
 * Parses a plugin's output. Throws CodedError `exec-plugin-failed`; never quotes the output, because it contains
 * secrets.
 */
export function readExecAnswer(output: string, apiVersion: string, command: string): ExecAnswer {
  let document: Plain;
  try {
    document = JSON.parse(output) as Plain;
  } catch (cause) {
    throw badAnswer(command, { code: 'output-not-json', data: {} }, cause);
  }
  try {
    const status = checkedStatus(document, apiVersion);
    return { grant: grantOf(status), expiresAtMs: expiryOf(status) };
  } catch (error) {
    if (error instanceof ProblemError) throw badAnswer(command, error.problem);
    if (!(error instanceof InvalidField)) throw error;
    const data = { path: error.path.join('.'), fault: error.fault };
    throw badAnswer(command, { code: 'bad-answer-field', data }, error);
  }
}

/** Throws ProblemError if the output is not an ExecCredential that this client can use. */
function checkedStatus(document: Plain, apiVersion: string): PlainObject {
  if (!isPlainObject(document)) throw new ProblemError({ code: 'not-exec-credential', data: {} });
  if (textField(document, 'kind') !== 'ExecCredential')
    throw new ProblemError({ code: 'other-kind', data: {} });
  const version = textField(document, 'apiVersion');
  if (version !== apiVersion)
    throw new ProblemError({ code: 'other-exec-version', data: { asked: apiVersion, answered: version } });
  const status = field(document, 'status');
  if (!isPlainObject(status)) throw new ProblemError({ code: 'no-status', data: {} });
  return status;
}

function grantOf(status: PlainObject): Grant {
  const token = textField(status, 'token');
  const cert = textField(status, 'clientCertificateData');
  const key = textField(status, 'clientKeyData');
  if (token === '' && cert === '' && key === '') throw new ProblemError({ code: 'no-credentials', data: {} });
  if ((cert === '') !== (key === '')) throw new ProblemError({ code: 'half-certificate', data: {} });
  return {
    authorization: token === '' ? undefined : `Bearer ${headerValue('status.token', token)}`,
    certificate: cert === '' ? undefined : { cert, key },
  };
}

/** Returns the expiry in milliseconds since the epoch; undefined if the output has none. */
function expiryOf(status: PlainObject): number | undefined {
  const text = textField(status, 'expirationTimestamp');
  if (text === '') return undefined;
  const at = parseTimestamp(text);
  if (at === undefined) throw new ProblemError({ code: 'bad-expiry', data: { text: text.slice(0, 80) } });
  return timestampToMs(at);
}

function badAnswer(plugin: string, why: KubeProblem, cause?: unknown): CodedError {
  return kubeFailure('exec-plugin-failed', { problem: 'answer', plugin, why }, { cause });
}
