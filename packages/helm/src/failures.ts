import { type CodedError, failuresOf } from '@logtool/kube/src/values/coded-error.ts';
import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { ImageTrouble } from './apply/image-trouble.ts';
import type { Pending, Wanted } from './apply/obstacle.ts';
import type { RecordProblem } from './release/record-problem.ts';
import type { ReleaseStatus } from './release/release.ts';

/** The failures of Helm's actions: each code with its data. `why` is a message of Helm, Go or the cluster. */
export interface HelmFailures {
  // Releases
  'chart-differs': { readonly release: string; readonly before: ChartRef; readonly chart: ChartRef };
  'chart-older': { readonly release: string; readonly before: ChartRef; readonly chart: ChartRef };
  'helm-driver': { readonly name: string };
  'namespace-name': { readonly namespace: string };
  /** `target`: the object meant for the namespace; undefined: the release itself. */
  'namespace-not-found': { readonly namespace: string; readonly target?: string };
  'no-good-revision': { readonly release: ReleaseRef; readonly failure: Failure };
  'other-chart': {
    readonly verb: 'upgrade' | 'rollback' | 'uninstall';
    readonly release: { readonly name: string; readonly namespace: string };
    readonly chart: ChartRef;
    readonly only: string;
  };
  'release-exists': StuckRelease;
  'release-in-progress': StuckRelease | ConflictingRevision;
  'release-interrupted':
    | {
        readonly stage: 'recorded';
        readonly action: ReleaseAction;
        readonly revision: number;
        readonly remedy: Remedy;
      }
    | { readonly stage: 'objects-deleted'; readonly action: ReleaseAction; readonly remedy: Remedy };
  'release-name': { readonly name: string };
  'release-not-found': { readonly release: ReleaseRef; readonly canInstall: boolean };
  'release-not-taken-back': {
    readonly action: ReleaseAction;
    readonly failure: Failure;
    readonly second: Failure;
    readonly remedy: Remedy;
  };
  'release-taken-back': {
    readonly action: ReleaseAction;
    readonly failure: Failure;
    /** For an upgrade: the new revision, and the one that it restores. */
    readonly revision?: { readonly made: number; readonly like: number };
    readonly left: readonly Leftover[];
  };
  'release-too-large': {
    readonly release: string;
    readonly bytes: number;
    readonly limitBytes: number;
    /** The largest file of the chart. */
    readonly largest?: { readonly name: string; readonly bytes: number } | undefined;
  };
  'release-unreadable': {
    readonly type: string;
    readonly name: string;
    readonly namespace: string;
    readonly record: RecordProblem;
  };
  'release-unrecorded': {
    readonly action: ReleaseAction;
    /** The status that the record of the release still has. */
    readonly status: ReleaseStatus;
    /** Undefined: the action was interrupted. */
    readonly failure: Failure | undefined;
    readonly unrecorded: Failure;
    readonly remedy: Remedy;
    /** The condition under which the remedy can succeed. */
    readonly once: 'signed-in' | 'fixed' | 'answers';
  };
  'releases-forbidden': {
    readonly driver: string;
    readonly why: Why;
    readonly namespace: string;
  };
  'revision-not-found': {
    readonly release: ReleaseRef;
    readonly wanted: number;
    readonly known: readonly number[];
  };
  'rights-missing': { readonly user: string; readonly missing: readonly MissingRight[] };
  /** The namespace admits no pods of these objects, which mount folders of their nodes. `level`: of Pod Security. */
  'pod-security': {
    readonly namespace: string;
    readonly level: string;
    readonly objects: readonly string[];
  };
  'rights-unknown': { readonly user: string; readonly why: Why };

  // Objects
  /** Another manager owns these fields. */
  'apply-conflict': { readonly object: string; readonly fields: readonly FieldMessage[] };
  /** `verb`: the permission on the role that would allow it anyway. */
  'grant-refused': { readonly object: string; readonly why: string; readonly verb: 'bind' | 'escalate' };
  'hook-failed': {
    readonly event: string;
    readonly hook: { readonly name: string; readonly path: string; readonly kind: string };
    readonly namespace: string;
    readonly failure: Failure;
    /** The hook's delete policy has deleted the object. */
    readonly isDeleted: boolean;
    /** The failure of applying the delete policy. */
    readonly second?: Failure | undefined;
  };
  'image-unavailable': { readonly trouble: ImageTrouble; readonly retry?: ImageRetry | undefined };
  'kind-unknown': { readonly kinds: readonly { readonly kind: string; readonly apiVersion: string }[] };
  'manifest-invalid': { readonly path: string; readonly why: string };
  'manifest-malformed': { readonly source?: string | undefined } & ManifestProblem;
  'not-owned':
    | { readonly of: 'chart'; readonly release: string; readonly objects: readonly UnmarkedObject[] }
    | { readonly of: 'other-release'; readonly object: string; readonly owner: OtherRelease }
    /** `isChecked`: found before the first change. */
    | { readonly of: 'hooks'; readonly objects: readonly TakenObject[]; readonly isChecked: boolean }
    | {
        readonly of: 'replaced-hook';
        readonly object: string;
        readonly hook: { readonly name: string; readonly path: string };
      };
  'object-refused': { readonly object: string; readonly why: Why };
  'object-unchangeable': {
    readonly object: string;
    readonly fields: readonly FieldMessage[];
    readonly resource: ResourceRef;
    /** Its pods may stay while it is recreated. */
    readonly hasPods: boolean;
  };
  'object-unnamed': { readonly kind: string };
  'wait-failed': { readonly wanted: Wanted; readonly pending: Pending; readonly inspect: Inspection };
  'wait-timeout':
    | {
        readonly of: 'objects';
        readonly wanted: Wanted;
        readonly timeoutMs: number;
        readonly pending: readonly Pending[];
        readonly inspect?: Inspection | undefined;
      }
    | { readonly of: 'kinds'; readonly timeoutMs: number; readonly missing: readonly string[] };

  // Charts and values
  'chart-limit':
    | { readonly limit: 'memory'; readonly step: ChartStep; readonly limitMiB: number }
    | { readonly limit: 'time'; readonly step: ChartStep; readonly limitMs: number };
  'chart-not-installable':
    | { readonly problem: 'api-version'; readonly apiVersion: string; readonly known: readonly string[] }
    | { readonly problem: 'type'; readonly type: string; readonly name: string }
    | { readonly problem: 'dependencies'; readonly missing: readonly string[] }
    | { readonly problem: 'kube-version'; readonly wanted: string; readonly kubeVersion: string };
  /** `where`: the sub-charts that contain it. */
  'invalid-chart': { readonly where: readonly string[] } & ChartProblem;
  'template-limit': TemplateLimit;
  /** `isAsked`: the chart itself refuses the values. */
  'template-failed': { readonly isAsked: boolean; readonly why: string };
  'invalid-value-flag': {
    readonly given: 'json' | 'typed' | 'string';
    readonly text: string;
    readonly why: ValueFlagWhy;
  };
  'values-do-not-fit':
    | { readonly of: 'schema'; readonly issues: readonly SchemaIssue[] }
    | { readonly of: 'sub-chart'; readonly name: string; readonly why: string };

  'values-file-invalid': { readonly path: string; readonly why: string };
  'values-file-unreadable': { readonly path: string; readonly why: string };

  // Repositories
  'bad-repository-name': { readonly name: string };
  'bad-version-range': { readonly range: string; readonly why: string };
  'chart-digest-invalid': { readonly of: Download };
  'chart-digest-wrong': { readonly of: Download; readonly wanted: string; readonly got: string };
  'chart-not-found': { readonly repository: string; readonly chart: string };
  'chart-version-not-found': {
    readonly repository: string;
    readonly chart: string;
    readonly range: string;
    /** The newest known versions, and whether more exist. */
    readonly known: readonly string[];
    readonly hasMore: boolean;
  };
  'chart-without-address': { readonly of: Download };
  'repositories-file-invalid': { readonly file: string; readonly why: string };
  /** Another program keeps changing the file. */
  'repositories-changing': { readonly file: string };
  'repositories-locked': { readonly file: string; readonly lock: string; readonly waitedMs: number };
  'repository-address-unsupported': {
    readonly of: Download | { readonly kind: 'repository'; readonly name: string };
    readonly problem: 'oci' | 'scheme' | 'provenance';
  };
  'repository-answer': {
    readonly of: Download;
    readonly address: string;
    readonly status: number;
    readonly statusText: string;
    readonly hadCredentials: boolean;
  };
  'repository-certificates-unusable':
    | { readonly problem: 'no-pem' }
    | { readonly problem: 'refused'; readonly why: string };
  'repository-exists': {
    readonly name: string;
    /** `url`: another address; `credentials`: the same address with other credentials or another query. */
    readonly differs:
      | { readonly by: 'url'; readonly address: string }
      | { readonly by: 'credentials' }
      | { readonly by: 'fields'; readonly fields: readonly string[] };
  };
  /** `repository`: the one that names the file; undefined for one of the files shared by all repositories. */
  'repository-file-not-readable': {
    readonly path: string;
    readonly why: Why;
    readonly repository?: string | undefined;
  };
  'repository-file-not-writable': { readonly path: string; readonly why: string };
  'repository-index-invalid': { readonly source: string } & IndexProblem;
  'repository-not-updated': { readonly name: string };
  'repository-unknown': { readonly name: string; readonly file: string };
  'repository-unreachable': {
    readonly of: Download;
    readonly address: string;
    readonly outage: Outage;
    /** The remedy: name a certificate authority, or check the named one. */
    readonly certificate?: { readonly caFile: string } | undefined;
    /** The error response of the proxy. */
    readonly proxy?: Failure | undefined;
  };
  /** The server returned a web page instead of the index. */
  'repository-web-page': { readonly source: string };
}

export const helmFailure = failuresOf<HelmFailures>();

/** An error; a coded one gets the message of its code. */
export type Failure = CodedError | Error;

/** Helm's message, or: a key has more than `max` indexes in a row. */
export type ValueFlagWhy = string | { readonly problem: 'indexes'; readonly max: number };

/** A problem in the values of one chart, or in its values.schema.json. */
export interface SchemaIssue {
  readonly chart: string;
  readonly problem: SchemaProblem;
}

export type SchemaProblem =
  /** Helm's message for each location in the values; `more`: the number of locations without a line. */
  | { readonly of: 'values'; readonly lines: readonly string[]; readonly more: number }
  | { readonly of: 'schema-type' }
  /** `$schema` names an unknown draft. */
  | { readonly of: 'draft'; readonly draft: string }
  /** It refers to another schema, which logtool never fetches. */
  | { readonly of: 'reference'; readonly reference: string }
  | { readonly of: 'endless' }
  /** A message of Go, or of the library that compiles the schema. */
  | { readonly of: 'invalid'; readonly why: string };

/** Why a chart cannot be read. */
export type ChartProblem =
  /** A message of Helm, or of the library with which Helm reads charts. */
  | { readonly problem: 'refused'; readonly why: string }
  | { readonly problem: 'files' | 'values' | 'depth'; readonly max: number }
  | { readonly problem: 'archive-size'; readonly maxBytes: number }
  | { readonly problem: 'archive-cut' | 'sparse-file' }
  | { readonly problem: 'link' | 'no-file' | 'link-loop'; readonly path: string };

/** The current step of processing a chart. */
export type ChartStep =
  | 'load-chart'
  | 'read-crds'
  | 'render-chart'
  | 'check-values'
  | 'render-templates'
  | 'read-manifest'
  | 'work';

/** The limits of templates and of their results. */
export type TemplateLimit =
  | { readonly of: 'time' }
  /** A value that templates handle, or a template itself, is nested too deeply. */
  | { readonly of: 'nested-value' | 'nested-template' }
  | { readonly of: 'hook-text'; readonly maxMiB: number }
  | {
      /**
       * `output`: characters that templates write. `depth`: nested template calls. `nodes`: nodes of one value.
       * `tpl-depth`, `tpl-text`: nested calls of tpl, and the characters passed to them.
       */
      readonly of:
        | 'output'
        | 'depth'
        | 'nodes'
        | 'tpl-depth'
        | 'tpl-text'
        | 'lookups'
        | 'manifest-values'
        | 'hook-values';
      readonly max: number;
    };

/** A file to download. */
export type Download =
  | { readonly kind: 'chart'; readonly name: string; readonly version: string }
  /** `name`: the name of the repository. */
  | { readonly kind: 'index'; readonly name: string }
  | { readonly kind: 'values' };

/** Why an address returned nothing useful. */
export type Outage =
  | { readonly problem: 'silent'; readonly afterMs: number }
  | { readonly problem: 'unfinished'; readonly afterMs: number }
  | { readonly problem: 'cut' | 'redirect-invalid' }
  | { readonly problem: 'too-large'; readonly limitMiB: number }
  | { readonly problem: 'redirects'; readonly max: number }
  /** A message of the system, of TLS, or of the proxy. */
  | { readonly problem: 'system'; readonly why: string };

/** Why an index cannot be used. `why` is Helm's message. */
export type IndexProblem =
  | { readonly problem: 'content'; readonly why: string }
  /** `text`: a value that is not an RFC 3339 time. */
  | { readonly problem: 'time'; readonly text: string }
  | { readonly problem: 'values'; readonly max: number }
  | { readonly problem: 'nesting' };

/** Why a document of a manifest is not an object. `why` is a message of Go's YAML. */
export type ManifestProblem =
  | { readonly problem: 'no-yaml'; readonly why: string }
  | { readonly problem: 'no-map' | 'no-kind' }
  | { readonly problem: 'no-name'; readonly kind: string };

/** The API server's message about one field. */
export interface FieldMessage {
  readonly field: string;
  readonly message: string;
}

/** A permission, in the terms of access reviews. */
export interface RightRef {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  /** Undefined: cluster-wide. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export interface MissingRight extends RightRef {
  /** Permissions that would serve instead, and are missing as well. */
  readonly lacking: readonly RightRef[];
}

/** A release as commands name it. */
export interface ReleaseRef {
  readonly name: string;
  readonly namespace: string;
  /** The name of its chart, if known. */
  readonly chart?: string | undefined;
}

export interface ChartRef {
  readonly name: string;
  readonly version: string;
}

/** An action on a release. */
export interface ReleaseAction {
  readonly kind: 'installation' | 'upgrade' | 'rollback' | 'uninstallation';
  readonly name: string;
  /** The target of a rollback. */
  readonly revision?: number | undefined;
}

/** What repairs a release. */
export type Remedy =
  | { readonly kind: 'rollback'; readonly release: ReleaseRef; readonly revision: number }
  | { readonly kind: 'uninstall'; readonly release: ReleaseRef }
  /** Uninstall it, then install it again. */
  | { readonly kind: 'reinstall'; readonly release: ReleaseRef };

/** A release that another action must finish, or that this action must not touch. */
export interface StuckRelease {
  readonly of: 'state';
  readonly verb: 'install' | 'upgrade';
  readonly release: ReleaseRef;
  readonly chart: ChartRef;
  readonly revision: number;
  readonly status: ReleaseStatus;
  readonly description: string;
  /** The time since the action began, if recorded. */
  readonly ageMs?: number | undefined;
  /** What repairs a pending revision. */
  readonly back?: Remedy | undefined;
}

/** Another client created the same revision at the same time. */
export interface ConflictingRevision {
  readonly of: 'conflict';
  readonly release: ReleaseRef;
  readonly revision: number;
}

/** What stays in the cluster after an action was undone. */
export type Leftover =
  | { readonly kind: 'object'; readonly object: string; readonly why: KeptReason }
  /** A definition or the namespace: no uninstallation removes it. */
  | { readonly kind: 'definition'; readonly object: string }
  | { readonly kind: 'namespace'; readonly name: string };

/** Why an object is kept. */
export type KeptReason =
  | { readonly by: 'policy' }
  | { readonly by: 'replaced' }
  | { readonly by: 'other-release'; readonly owner: OtherRelease }
  | { readonly by: 'no-mark'; readonly marks: readonly WrongMark[] };

/** The owner that an object names; undefined: it names none. */
export interface OtherRelease {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** A label or an annotation by which Helm recognizes an object of the release. */
export interface WrongMark {
  readonly kind: 'label' | 'annotation';
  readonly key: string;
  readonly wanted: string;
  /** Undefined: the object lacks it. */
  readonly actual: string | undefined;
}

export interface UnmarkedObject {
  readonly object: string;
  readonly marks: readonly WrongMark[];
}

/** An object of another release that a hook would replace. */
export interface TakenObject {
  readonly object: string;
  readonly owner: OtherRelease;
  readonly hook: { readonly name: string; readonly path: string; readonly events: readonly string[] };
}

/** A command that shows more about a problem. */
export type Inspection =
  | ({ readonly kind: 'describe' | 'list' } & ResourceRef)
  | {
      readonly kind: 'logs';
      readonly pod: string;
      readonly container: string;
      readonly namespace: string | undefined;
    };

export interface ResourceRef {
  /** E.g. `pods`, `deployments`. */
  readonly resource: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The action that retries with another image. */
export interface ImageRetry {
  readonly release: ReleaseRef;
  readonly again: 'install' | 'upgrade';
}
