import { failuresOf } from './coded-error.ts';
import type { Why } from './problems.ts';

/**
 * What can go wrong between a kubeconfig and an answer of a cluster: each code with its data. Where a field is named
 * `why`, it holds the words of a system, a server, a proxy or a plugin, or a problem by its code.
 */
export interface KubeFailures extends ConfigFailures, CredentialFailures, ClusterFailures {}

/** A kubeconfig, and the way that it describes to a server. */
interface ConfigFailures {
  /** `problem`: `url` (not one), `scheme` (another than http, https, socks5). Passwords are left out of `url`. */
  'bad-proxy-url': { readonly from: string; readonly url: string; readonly problem: 'url' | 'scheme' };
  'bad-server-url': {
    readonly cluster: string;
    readonly file: string;
    readonly url: string;
    readonly problem: 'missing' | 'url' | 'scheme';
  };
  'in-cluster-missing': InClusterTrouble;
  /**
   * insecure-skip-tls-verify turns the check of the server off, a certificate-authority says how to check.
   */
  'insecure-with-authority': { readonly cluster: string; readonly file: string };
  /** `line` is the line of the file, from 1, if it is known. */
  'kubeconfig-invalid': { readonly file: string; readonly line?: number | undefined; readonly why: Why };
  /** `from`: what named the files. */
  'kubeconfig-not-found': {
    readonly files: readonly string[];
    readonly from: 'explicit' | 'KUBECONFIG' | 'home';
  };
  /** `why`: what the operating system answered. */
  'kubeconfig-unreadable': { readonly file: string; readonly why: Why; readonly isForbidden: boolean };
  'missing-cluster': MissingEntry;
  'missing-user': MissingEntry;
  'no-current-context': { readonly files: readonly string[]; readonly contexts: NameList };
  /** `from`: what named the proxy (`proxy-url`, `HTTPS_PROXY`). */
  'proxy-refused': {
    readonly proxy: string;
    readonly from: string;
    readonly target: string;
    readonly why: Why;
  };
  /** `isCurrent`: current-context names it. `near`: the name that was probably meant. */
  /** A file of the program itself. */
  'thread-script-missing': { readonly path: string };
  'unknown-context': {
    readonly context: string;
    readonly files: readonly string[];
    readonly isCurrent: boolean;
    readonly contexts: NameList;
    readonly near?: string | undefined;
  };
}

/** How the user of a kubeconfig proves who it is. */
interface CredentialFailures {
  'auth-provider-removed': { readonly provider: string };
  'bad-certificate-data': CertificateTrouble;
  /** No header can hold it. `field`: what holds it. */
  /** `field`: of the user in the kubeconfig, of a plugin's answer (`status.token`), or a file that holds a token. */
  'bad-credentials': { readonly field: string; readonly file?: string | undefined };
  /** Other fields of an impersonation are set, but `as` is not. */
  'bad-impersonation': Readonly<Record<string, never>>;
  'exec-plugin-failed': PluginTrouble;
  /** `file` where it was given as a path, else `path` is the environment variable PATH. */
  'exec-plugin-missing': {
    readonly plugin: string;
    readonly file?: string | undefined;
    readonly path?: string | undefined;
    readonly installHint: string;
  };
  'exec-plugin-not-allowed': {
    readonly program: string;
    readonly file: string;
    readonly policy: 'DenyAll' | 'Allowlist';
  };
  'kuberc-invalid': { readonly file: string; readonly why: Why };
  'oidc-refresh-failed': { readonly issuer: string; readonly why: Why };
  /** Without `why` the file is empty. */
  'token-file-unreadable': { readonly file: string; readonly why?: Why | undefined };
}

/** What went wrong with a request to a cluster, or what the cluster answered. */
interface ClusterFailures {
  conflict: ClusterAnswer;
  'connection-lost': ClusterTrouble;
  credentials: ClusterTrouble;
  dns: ClusterTrouble & { readonly hostname: string; readonly systemCode: string };
  /** A refusal. `right` is the one that was refused, if that is known. */
  forbidden: Refusal | MissingApi;
  'forbidden-anonymous': { readonly right: RefusedRight; readonly why: Why };
  gone: ClusterAnswer;
  'http-error': ClusterAnswer | MissingApi;
  'namespace-leaving': { readonly namespace: string };
  'no-answer': ClusterTrouble;
  /** Admission refused it (a quota, a policy, a webhook), so no right is missing. */
  'not-admitted': { readonly request?: RequestedObject | undefined; readonly why: Why };
  'not-found': ClusterAnswer | MissingApi;
  'protocol-error': ClusterAnswer;
  'refused-request': ClusterAnswer & { readonly isUnknownField: boolean };
  'server-error': ClusterAnswer;
  tls: ClusterTrouble;
  'tls-client-certificate': ClusterTrouble & { readonly isMissing: boolean };
  'tls-expired': ClusterTrouble;
  'tls-no-http1': ClusterTrouble;
  'tls-no-tls': ClusterTrouble;
  'tls-not-yet-valid': ClusterTrouble;
  'tls-unknown-authority': ClusterTrouble & { readonly tlsCode: string };
  'tls-version': ClusterTrouble;
  'tls-wrong-host': ClusterTrouble;
  'too-many-requests': ClusterAnswer;
  /** `hasOwnToken`: the token was given beside the kubeconfig. */
  unauthorized: ClusterTrouble & { readonly hasOwnToken: boolean };
  /** `isDefect`: the error is this program's, and the cluster has no part in it. */
  unexpected: { readonly server?: string | undefined; readonly why: Why; readonly isDefect: boolean };
  /** `problem`: nothing listens there, nothing answers, or no answer came within a time. */
  unreachable:
    | (ClusterTrouble & { readonly host: string; readonly problem: 'refused' | 'silent' })
    | { readonly problem: 'timeout'; readonly context: string; readonly limitMs: number };
}

/** A cluster as messages name it; `user` is empty if the context names none. */
export interface ClusterTrouble {
  readonly server: string;
  readonly context: string;
  readonly user: string;
  readonly why: Why;
}

/** An answer other than the one that was asked for. `why`: in the words of the server, with the status. */
export interface ClusterAnswer {
  readonly request?: RequestedObject | undefined;
  readonly server: string;
  readonly why: Why;
}

/** The server serves nothing at the path of the request, so nothing is known of the object. */
export interface MissingApi {
  readonly missing: 'api';
  readonly request?: RequestedObject | undefined;
  readonly server: string;
  readonly context: string;
  readonly why: Why;
}

export interface Refusal {
  readonly request?: RequestedObject | undefined;
  readonly right?: RefusedRight | undefined;
  /** Undefined: an access review denied it. */
  readonly why?: Why | undefined;
  /** The `kubectl auth can-i` line that checks it. */
  readonly check?: string | undefined;
}

/** What a request was about: `pods`, `deployments.apps`; a path for discovery. */
export interface RequestedObject {
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export interface RefusedRight extends RequestedObject {
  readonly verb: string;
  /** The word for one object, if the kind is known: `pod`. */
  readonly singular?: string | undefined;
  /** Of a right on all objects of a kind. */
  readonly scope?: 'namespace' | 'all-namespaces' | 'cluster' | undefined;
}

/** Names that exist, as many as a message shows; `more` counts the rest. */
export interface NameList {
  readonly names: readonly string[];
  readonly more: number;
}

/** A context that names no cluster or user (`name` is empty), or one that does not exist. */
export interface MissingEntry {
  readonly context: string;
  readonly name: string;
  readonly file: string;
  readonly existing: NameList;
}

/** What a pod lacks to be one from which the API server is reached. */
export type InClusterTrouble =
  | { readonly lacks: 'address' }
  | { readonly lacks: 'valid-address'; readonly url: string }
  | { readonly lacks: 'token'; readonly file: string }
  | { readonly lacks: 'readable-file'; readonly file: string; readonly why: Why };

/** Why certificates and keys cannot be used. `owner`: whose they are (`context "prod"`, an issuer, a proxy). */
export type CertificateTrouble =
  | { readonly problem: 'no-pem'; readonly owner: string }
  | { readonly problem: 'other-key'; readonly owner: string }
  | { readonly problem: 'encrypted-key'; readonly owner: string }
  | { readonly problem: 'unusable'; readonly owner: string; readonly why: Why }
  | { readonly problem: 'lacks'; readonly user: string; readonly file: string; readonly field: string }
  | {
      readonly problem: 'not-base64';
      readonly field: string;
      readonly entry: string;
      readonly file: string;
    }
  | {
      readonly problem: 'unreadable';
      readonly entry: string;
      readonly field: string;
      readonly file: string;
      readonly path: string;
      readonly why: Why;
    };

/** Why a credential plugin gave no credentials. */
export type PluginTrouble =
  | { readonly problem: 'answer'; readonly plugin: string; readonly why: Why }
  | { readonly problem: 'no-terminal'; readonly plugin: string }
  | { readonly problem: 'run'; readonly plugin: string; readonly command: string; readonly why: PluginEnd };

export type PluginEnd =
  | { readonly end: 'exit'; readonly exitCode: number; readonly printed: string }
  | { readonly end: 'killed'; readonly signal: string; readonly printed: string }
  | { readonly end: 'not-started'; readonly why: Why }
  | { readonly end: 'no-interpreter' }
  | { readonly end: 'too-long'; readonly limitBytes: number };

/** Events of a connection while it works: each code with its data. */
export interface KubeNotices {
  /** A plugin takes long and has printed nothing. */
  'exec-plugin-slow': { readonly plugin: string };
  'oidc-tokens-not-saved': { readonly user: string; readonly file: string; readonly why: Why };
}

export type KubeNotice = {
  readonly [C in keyof KubeNotices]: { readonly code: C; readonly data: KubeNotices[C] };
}[keyof KubeNotices];

export const kubeFailure = failuresOf<KubeFailures>();
