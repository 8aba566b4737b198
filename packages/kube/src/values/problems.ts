import type { CodedOf, NoData } from './coded-error.ts';

/**
 * Problems that this package itself finds in a file, a response or a connection: each code with its data. A user reads
 * one as the reason of a failure, instead of a system's or a server's text.
 */
export interface KubeProblems extends FileProblems, LoginProblems, WayProblems, AnswerProblems {}

/** Problems of a file, or of a field in a kubeconfig. */
interface FileProblems {
  'aliases-unfold': NoData;
  /** `path`: `users[0].user.token`; empty for the whole file. */
  'bad-field': { readonly path: string; readonly fault: FieldFault };
  /** Its content has changed since it was read at the start. */
  'file-changed': NoData;
  'file-not-editable': NoData;
  'file-forbidden': NoData;
  'file-is-folder': NoData;
  'file-missing': NoData;
  'file-too-large': { readonly limitMib: number };
  'nul-in-path': NoData;
  'not-utf8': NoData;
  'path-through-file': NoData;
  'silent-pipe': NoData;
  /** `message`: the system's. */
  'system-error': { readonly message: string };
  'temporary-file-cut': NoData;
  'too-many-marks': NoData;
  'user-removed': NoData;
}

/**
 * Problems with a user's credentials: the output of a plugin, the response of an issuer, and the policy for plugins.
 */
interface LoginProblems {
  'allowlist-empty': NoData;
  'allowlist-entry': NoData;
  'allowlist-without-policy': NoData;
  'bad-answer-field': { readonly path: string; readonly fault: FieldFault };
  'bad-expiry': { readonly text: string };
  'bad-plugin-policy': NoData;
  'discovery-unreadable': { readonly status: number };
  'half-certificate': NoData;
  'id-token-expired': NoData;
  'issuer-answered': { readonly status: number; readonly description?: string | undefined };
  'issuer-answer-too-long': NoData;
  'issuer-not-set': NoData;
  'issuer-silent': { readonly limitMs: number };
  'no-credentials': NoData;
  'no-id-token': NoData;
  'no-status': NoData;
  'not-exec-credential': NoData;
  'not-a-preference': NoData;
  'not-a-url': { readonly address: string };
  'output-not-json': NoData;
  /** `answered` is empty if the output names no version. */
  'other-exec-version': { readonly asked: string; readonly answered: string };
  'other-kind': NoData;
  'other-kuberc-version': { readonly expected: string };
}

/** Problems between client and server: connections, proxies, TLS. */
interface WayProblems {
  'answer-stopped': { readonly afterMs: number };
  /** Without `step`: this program closed it. */
  'connection-closed': { readonly step?: ConnectStep | undefined };
  'connection-cut': NoData;
  'connection-ended': NoData;
  'connection-stuck': NoData;
  'no-answer-from': { readonly host: string; readonly limitMs: number };
  'no-connection-to': { readonly host: string; readonly limitMs: number };
  'ping-unanswered': { readonly limitMs: number };
  'proxy-answer-cut': NoData;
  'proxy-answer-endless': NoData;
  'proxy-answered': { readonly status: string };
  'proxy-closed': NoData;
  'proxy-not-http': NoData;
  /** `reset`: the name of HTTP/2's error code; `ended`: the connection ended; `lost`: it had ended before. */
  'request-given-up': { readonly reset: string };
  'socks-answer': NoData;
  'socks-login-missing': NoData;
  'socks-login-refused': NoData;
  'socks-login-too-long': NoData;
  'socks-name-too-long': NoData;
  'socks-not-spoken': NoData;
  /** `reply`: a code of RFC 1928 section 6. */
  'socks-reply': { readonly reply: number };
  'step-silent': { readonly step: ConnectStep; readonly limitMs: number };
  'stream-reset': { readonly reset: string };
}

/** Problems with what a server sent. */
interface AnswerProblems {
  anonymous: NoData;
  'answer-too-large': { readonly limitBytes: number };
  'bad-bookmark': NoData;
  'bad-compression': { readonly why: string };
  'bad-metadata': { readonly field: string };
  'bad-content-range': { readonly text: string };
  'bad-path-segment': { readonly text: string };
  /** `begin`: the beginning of the text. */
  'broken-json': { readonly begin: string };
  'empty-error-event': NoData;
  'encoding-unwanted': { readonly encoding: string };
  'line-too-long': { readonly limitBytes: number };
  'list-circle': NoData;
  'list-too-long': { readonly pages: number };
  'log-ended-early': NoData;
  'log-ended-in-line': NoData;
  /** The reader waited no longer for the next line of a log. */
  'log-silent': { readonly limitMs: number };
  'name-missing': NoData;
  /** The node returned an error text instead of a log. */
  'no-log': { readonly text: string };
  'no-user': NoData;
  'no-verdict': NoData;
  'no-version': NoData;
  'not-a-list': NoData;
  'not-an-event': NoData;
  'not-json': { readonly begin: string };
  /** A read-only client does not send the request. `path`: with its query, shortened. */
  'not-read-only': { readonly method: string; readonly path: string };
  redirect: { readonly status: number; readonly location: string };
  /** A response without a message. */
  status: { readonly status: number };
  'unknown-encoding': { readonly encoding: string };
}

export type KubeProblem = CodedOf<KubeProblems>;

/** Why something failed: the text of a system, a server, a proxy or a plugin, or a problem that this package found. */
export type Why = string | KubeProblem;

/** A step of connecting to a server; `to` is a host with its port, or a proxy. */
export interface ConnectStep {
  readonly step: 'connect' | 'tls' | 'proxy';
  readonly to: string;
}

export type FieldType = 'boolean' | 'list' | 'nothing' | 'number' | 'object' | 'text';

/** What is wrong with a field. */
export type FieldFault =
  /** `isUnquoted`: with quotes it would be text. */
  | {
      readonly problem: 'type';
      readonly expected: FieldType;
      readonly found: FieldType;
      readonly isUnquoted?: boolean | undefined;
    }
  /** `found` is empty for a field without a value. */
  | { readonly problem: 'value'; readonly expected: readonly string[]; readonly found: string }
  | { readonly problem: 'repeated'; readonly name: string }
  | { readonly problem: 'not-set' }
  /** Only older versions of the API may omit it. */
  | { readonly problem: 'needed'; readonly apiVersion: string }
  | { readonly problem: 'variable-name' }
  | { readonly problem: 'nul' };

/**
 * An error with its problem; its message is for stacks and logs. `code` is the system's, if the error stands for one.
 */
export class ProblemError extends Error {
  readonly problem: KubeProblem;
  readonly code: string | undefined;

  constructor(problem: KubeProblem, options: { readonly code?: string; readonly cause?: unknown } = {}) {
    super(problemLine(problem), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProblemError';
    this.problem = problem;
    this.code = options.code;
  }
}

/** Formats a problem for stacks and logs. */
export function problemLine({ code, data }: KubeProblem): string {
  return Object.keys(data).length === 0 ? code : `${code} ${JSON.stringify(data)}`;
}

/** Returns the reason of a thrown error. */
export function whyOf(error: unknown): Why {
  if (!(error instanceof Error)) return String(error);
  return 'problem' in error && error.problem !== undefined ? (error.problem as KubeProblem) : error.message;
}
