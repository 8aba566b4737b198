import { failuresOf } from './coded-error.ts';
import type { Why } from './problems.ts';

/**
 * Failures between a kubeconfig and a cluster's response: each code with its data. A field named `why` holds the text
 * of a system, a server, a proxy or a plugin, or a problem by its code.
 */
export interface KubeFailures extends ConfigFailures, CredentialFailures, ClusterFailures {}

/** Failures of a kubeconfig, and of the route that it describes to a server. */
interface ConfigFailures {
  /** `problem`: `url` (not a URL), `scheme` (not http, https or socks5). `url` omits passwords. */
  'bad-proxy-url': { readonly from: string; readonly url: string; readonly problem: 'url' | 'scheme' };
  'bad-server-url': {
    readonly cluster: string;
    readonly file: string;
    readonly url: string;
    readonly problem: 'missing' | 'url' | 'scheme';
  };
  'in-cluster-missing': InClusterTrouble;
  /** insecure-skip-tls-verify disables the check of the server, while a certificate-authority requires it. */
  'insecure-with-authority': { readonly cluster: string; readonly file: string };
  /** `line` is the line in the file, from 1, if known. */
  'kubeconfig-invalid': { readonly file: string; readonly line?: number | undefined; readonly why: Why };
  /** `from`: where the file names come from. */
  'kubeconfig-not-found': {
    readonly files: readonly string[];
    readonly from: 'explicit' | 'KUBECONFIG' | 'home';
  };
  /** `why`: the operating system's error. */
  'kubeconfig-unreadable': { readonly file: string; readonly why: Why; readonly isForbidden: boolean };
  'missing-cluster': MissingEntry;
  'missing-user': MissingEntry;
  'no-current-context': { readonly files: readonly string[]; readonly contexts: NameList };
  /** `from`: the setting that names the proxy (`proxy-url`, `HTTPS_PROXY`). */
  'proxy-refused': {
    readonly proxy: string;
    readonly from: string;
    readonly target: string;
    readonly why: Why;
  };
  /** `isCurrent`: current-context names it. `near`: the name that the user probably meant. */
  /** A file of the program itself is missing. */
  'thread-script-missing': { readonly path: string };
  'unknown-context': {
    readonly context: string;
    readonly files: readonly string[];
    readonly isCurrent: boolean;
    readonly contexts: NameList;
    readonly near?: string | undefined;
  };
}

/** Failures of a kubeconfig user's credentials. */
interface CredentialFailures {
  'auth-provider-removed': { readonly provider: string };
  'bad-certificate-data': CertificateTrouble;
  /** The credential contains characters that no header can contain. `field`: where it comes from. */
  /**
   * `field`: a field of the user in the kubeconfig, of a plugin's output (`status.token`), or a file that holds a
   * token.
   */
  'bad-credentials': { readonly field: string; readonly file?: string | undefined };
  /** Other fields of an impersonation are set, but `as` is not. */
  'bad-impersonation': Readonly<Record<string, never>>;
  'exec-plugin-failed': PluginTrouble;
  /** `file` if the plugin is given as a path; else `path` is the environment variable PATH. */
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
  /** Without `why`, the file is empty. */
  'token-file-unreadable': { readonly file: string; readonly why?: Why | undefined };
}

/** Failures of a request to a cluster, and errors that the cluster returned. */
interface ClusterFailures {
  conflict: ClusterAnswer;
  'connection-lost': ClusterTrouble;
  credentials: ClusterTrouble;
  dns: ClusterTrouble & { readonly hostname: string; readonly systemCode: string };
  /** A denied request. `right` is the denied permission, if known. */
  forbidden: Refusal | MissingApi;
  'forbidden-anonymous': { readonly right: RefusedRight; readonly why: Why };
  gone: ClusterAnswer;
  'http-error': ClusterAnswer | MissingApi;
  'namespace-leaving': { readonly namespace: string };
  'no-answer': ClusterTrouble;
  /** Admission rejected it (a quota, a policy, a webhook), so no permission is missing. */
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
  /** `hasOwnToken`: the token came from outside the kubeconfig. */
  unauthorized: ClusterTrouble & { readonly hasOwnToken: boolean };
  /** `isDefect`: the error is this program's own, and does not come from the cluster. */
  unexpected: { readonly server?: string | undefined; readonly why: Why; readonly isDefect: boolean };
  /** `problem`: nothing listens at the host, the host does not respond, or no response arrived within a time limit. */
  unreachable:
    | (ClusterTrouble & { readonly host: string; readonly problem: 'refused' | 'silent' })
    | { readonly problem: 'timeout'; readonly context: string; readonly limitMs: number };
}

/** A cluster, as messages name it; `user` is empty if the context names none. */
export interface ClusterTrouble {
  readonly server: string;
  readonly context: string;
  readonly user: string;
  readonly why: Why;
}

/** A response other than the requested one. `why`: the server's text, with the status. */
export interface ClusterAnswer {
  readonly request?: RequestedObject | undefined;
  readonly server: string;
  readonly why: Why;
}

/** The server serves nothing at the request's path, so the object's state is unknown. */
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
  /** The `kubectl auth can-i` command that checks it. */
  readonly check?: string | undefined;
}

/** The subject of a request: `pods`, `deployments.apps`; a path for discovery. */
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
  /** The scope of a permission for all objects of a kind. */
  readonly scope?: 'namespace' | 'all-namespaces' | 'cluster' | undefined;
}

/** Existing names, as many as a message shows; `more` counts the rest. */
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

/** What a pod lacks to reach the API server. */
export type InClusterTrouble =
  | { readonly lacks: 'address' }
  | { readonly lacks: 'valid-address'; readonly url: string }
  | { readonly lacks: 'token'; readonly file: string }
  | { readonly lacks: 'readable-file'; readonly file: string; readonly why: Why };

/** Why certificates and keys cannot be used. `owner`: to what they belong (`context "prod"`, an issuer, a proxy). */
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

/** Why a credential plugin returned no credentials. */
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

/** Events of a working connection: each code with its data. */
export interface KubeNotices {
  /** A plugin takes long and has printed nothing. */
  'exec-plugin-slow': { readonly plugin: string };
  'oidc-tokens-not-saved': { readonly user: string; readonly file: string; readonly why: Why };
}

export type KubeNotice = {
  readonly [C in keyof KubeNotices]: { readonly code: C; readonly data: KubeNotices[C] };
}[keyof KubeNotices];

export const kubeFailure = failuresOf<KubeFailures>();
