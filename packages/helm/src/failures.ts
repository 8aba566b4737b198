import { type CodedError, failuresOf } from '@logtool/kube/src/values/coded-error.ts';
import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { ImageTrouble } from './apply/image-trouble.ts';
import type { Pending, Wanted } from './apply/obstacle.ts';
import type { RecordProblem } from './release/record-problem.ts';
import type { ReleaseStatus } from './release/release.ts';

/** What Helm's actions refuse or fail at: each code with its data. `why` is in the words of Helm, Go or the cluster. */
export interface HelmFailures {
  // Releases
  'chart-differs': { readonly release: string; readonly before: ChartRef; readonly chart: ChartRef };
  'chart-older': { readonly release: string; readonly before: ChartRef; readonly chart: ChartRef };
  'helm-driver': { readonly name: string };
  'namespace-name': { readonly namespace: string };
  /** `target`: the object that was to go there; undefined: the release itself. */
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
    /** Of an upgrade: the revision that was made, and the one that it is like. */
    readonly revision?: { readonly made: number; readonly like: number };
    readonly left: readonly Leftover[];
  };
  'release-too-large': {
    readonly release: string;
    readonly bytes: number;
    readonly limitBytes: number;
    /** Of the files of its chart. */
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
    /** What the release still says of itself. */
    readonly status: ReleaseStatus;
    /** Undefined: the action was interrupted. */
    readonly failure: Failure | undefined;
    readonly unrecorded: Failure;
    readonly remedy: Remedy;
    /** When the remedy has a chance. */
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
  'rights-unknown': { readonly user: string; readonly why: Why };

  // Objects
  /** Another manager owns these fields. */
  'apply-conflict': { readonly object: string; readonly fields: readonly FieldMessage[] };
  /** `verb`: which one on the role would allow it all the same. */
  'grant-refused': { readonly object: string; readonly why: string; readonly verb: 'bind' | 'escalate' };
  'hook-failed': {
    readonly event: string;
    readonly hook: { readonly name: string; readonly path: string; readonly kind: string };
    readonly namespace: string;
    readonly failure: Failure;
    /** Its delete policy has deleted it. */
    readonly isDeleted: boolean;
    /** What went wrong as its delete policy was followed. */
    readonly second?: Failure | undefined;
  };
  'image-unavailable': { readonly trouble: ImageTrouble; readonly retry?: ImageRetry | undefined };
  'kind-unknown': { readonly kinds: readonly { readonly kind: string; readonly apiVersion: string }[] };
  'manifest-invalid': { readonly path: string; readonly why: string };
  'manifest-malformed': { readonly source?: string | undefined } & ManifestProblem;
  'not-owned':
    | { readonly of: 'chart'; readonly release: string; readonly objects: readonly UnmarkedObject[] }
    | { readonly of: 'other-release'; readonly object: string; readonly owner: OtherRelease }
    /** `isChecked`: before anything was changed. */
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
    /** Its pods may stay while it is made again. */
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
  /** `where`: the sub-charts that lead to it. */
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
    /** The newest that there are, and whether there are more. */
    readonly known: readonly string[];
    readonly hasMore: boolean;
  };
  'chart-without-address': { readonly of: Download };
  'repositories-file-invalid': { readonly file: string; readonly why: string };
  /** Another program changes it again and again. */
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
    /** `url`: another address; `credentials`: the same address with other credentials or another query in it. */
    readonly differs:
      | { readonly by: 'url'; readonly address: string }
      | { readonly by: 'credentials' }
      | { readonly by: 'fields'; readonly fields: readonly string[] };
  };
  /** `repository`: the one that names the file; undefined for one of the files of all repositories. */
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
    /** The remedy: to name an authority, or to check the one that is named. */
    readonly certificate?: { readonly caFile: string } | undefined;
    /** The refusal of the proxy on the way. */
    readonly proxy?: Failure | undefined;
  };
  /** A web page came in place of the index. */
  'repository-web-page': { readonly source: string };
}

export const helmFailure = failuresOf<HelmFailures>();

/** Something that was thrown: its message is that of its code where it has one. */
export type Failure = CodedError | Error;

/** In the words of Helm, or: one key has more than `max` indexes in a row. */
export type ValueFlagWhy = string | { readonly problem: 'indexes'; readonly max: number };

/** What is wrong with the values of one chart, or with its values.schema.json. */
export interface SchemaIssue {
  readonly chart: string;
  readonly problem: SchemaProblem;
}

export type SchemaProblem =
  /** A line for each place of the values, in the words of Helm; `more`: places without a line. */
  | { readonly of: 'values'; readonly lines: readonly string[]; readonly more: number }
  | { readonly of: 'schema-type' }
  /** `$schema` names a draft that is not known. */
  | { readonly of: 'draft'; readonly draft: string }
  /** It refers to another schema, and nothing is ever fetched. */
  | { readonly of: 'reference'; readonly reference: string }
  | { readonly of: 'endless' }
  /** In the words of Go, or of the library that compiles it. */
  | { readonly of: 'invalid'; readonly why: string };

/** Why a chart cannot be read. */
export type ChartProblem =
  /** In the words of Helm, or of the library that it reads charts with. */
  | { readonly problem: 'refused'; readonly why: string }
  | { readonly problem: 'files' | 'values' | 'depth'; readonly max: number }
  | { readonly problem: 'archive-size'; readonly maxBytes: number }
  | { readonly problem: 'archive-cut' | 'sparse-file' }
  | { readonly problem: 'link' | 'no-file' | 'link-loop'; readonly path: string };

/** What is being done with a chart. */
export type ChartStep =
  | 'load-chart'
  | 'read-crds'
  | 'render-chart'
  | 'check-values'
  | 'render-templates'
  | 'read-manifest'
  | 'work';

/** What templates do at most, and what their results have at most. */
export type TemplateLimit =
  | { readonly of: 'time' }
  /** A value that templates handle, or a template itself, is nested too deeply. */
  | { readonly of: 'nested-value' | 'nested-template' }
  | { readonly of: 'hook-text'; readonly maxMiB: number }
  | {
      /**
       * `output`: characters that templates write. `depth`: templates that wait for each other. `nodes`: of one value.
       * `tpl-depth`, `tpl-text`: calls of tpl within each other, and the characters that they are given.
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

/** A file that is downloaded. */
export type Download =
  | { readonly kind: 'chart'; readonly name: string; readonly version: string }
  /** `name`: of its repository. */
  | { readonly kind: 'index'; readonly name: string }
  | { readonly kind: 'values' };

/** Why nothing useful came from an address. */
export type Outage =
  | { readonly problem: 'silent'; readonly afterMs: number }
  | { readonly problem: 'unfinished'; readonly afterMs: number }
  | { readonly problem: 'cut' | 'redirect-invalid' }
  | { readonly problem: 'too-large'; readonly limitMiB: number }
  | { readonly problem: 'redirects'; readonly max: number }
  /** In the words of the system, of TLS, or of the proxy. */
  | { readonly problem: 'system'; readonly why: string };

/** Why an index cannot be used. `why` is in the words of Helm. */
export type IndexProblem =
  | { readonly problem: 'content'; readonly why: string }
  /** `text`: what should be a time as RFC 3339 has it. */
  | { readonly problem: 'time'; readonly text: string }
  | { readonly problem: 'values'; readonly max: number }
  | { readonly problem: 'nesting' };

/** Why a document of a manifest is no object. `why` is in the words of Go's YAML. */
export type ManifestProblem =
  | { readonly problem: 'no-yaml'; readonly why: string }
  | { readonly problem: 'no-map' | 'no-kind' }
  | { readonly problem: 'no-name'; readonly kind: string };

/** What the API server says of one field. */
export interface FieldMessage {
  readonly field: string;
  readonly message: string;
}

/** A permission as access reviews have it. */
export interface RightRef {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  /** Undefined: in the whole cluster. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export interface MissingRight extends RightRef {
  /** What somebody would need instead, and lacks as well. */
  readonly lacking: readonly RightRef[];
}

/** A release, as commands name it. */
export interface ReleaseRef {
  readonly name: string;
  readonly namespace: string;
  /** The name of its chart, if that is known. */
  readonly chart?: string | undefined;
}

export interface ChartRef {
  readonly name: string;
  readonly version: string;
}

/** What is done to a release. */
export interface ReleaseAction {
  readonly kind: 'installation' | 'upgrade' | 'rollback' | 'uninstallation';
  readonly name: string;
  /** Of a rollback: where to. */
  readonly revision?: number | undefined;
}

/** What brings a release into a known state again. */
export type Remedy =
  | { readonly kind: 'rollback'; readonly release: ReleaseRef; readonly revision: number }
  | { readonly kind: 'uninstall'; readonly release: ReleaseRef }
  /** To uninstall it, and then to install it again. */
  | { readonly kind: 'reinstall'; readonly release: ReleaseRef };

/** A release that another action must finish, or that must stay untouched. */
export interface StuckRelease {
  readonly of: 'state';
  readonly verb: 'install' | 'upgrade';
  readonly release: ReleaseRef;
  readonly chart: ChartRef;
  readonly revision: number;
  readonly status: ReleaseStatus;
  readonly description: string;
  /** Since it is under way, if it says so. */
  readonly ageMs?: number | undefined;
  /** Where a pending revision can go back to. */
  readonly back?: Remedy | undefined;
}

/** Somebody else made the same revision at the same time. */
export interface ConflictingRevision {
  readonly of: 'conflict';
  readonly release: ReleaseRef;
  readonly revision: number;
}

/** What stays in the cluster of an action that was undone. */
export type Leftover =
  | { readonly kind: 'object'; readonly object: string; readonly why: KeptReason }
  /** The namespace or a definition: no uninstallation takes it away. */
  | { readonly kind: 'definition'; readonly object: string }
  | { readonly kind: 'namespace'; readonly name: string };

/** Why an object stays. */
export type KeptReason =
  | { readonly by: 'policy' }
  | { readonly by: 'replaced' }
  | { readonly by: 'other-release'; readonly owner: OtherRelease }
  | { readonly by: 'no-mark'; readonly marks: readonly WrongMark[] };

/** What an object names as its owner; undefined: it does not say so. */
export interface OtherRelease {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** A label or an annotation by which Helm would know an object as the release's. */
export interface WrongMark {
  readonly kind: 'label' | 'annotation';
  readonly key: string;
  readonly wanted: string;
  /** Undefined: the object has none. */
  readonly actual: string | undefined;
}

export interface UnmarkedObject {
  readonly object: string;
  readonly marks: readonly WrongMark[];
}

/** An object of another release that a hook would have. */
export interface TakenObject {
  readonly object: string;
  readonly owner: OtherRelease;
  readonly hook: { readonly name: string; readonly path: string; readonly events: readonly string[] };
}

/** How somebody sees more of what is wrong. */
export type Inspection =
  | ({ readonly kind: 'describe' | 'list' } & ResourceRef)
  | {
      readonly kind: 'logs';
      readonly pod: string;
      readonly container: string;
      readonly namespace: string | undefined;
    };

export interface ResourceRef {
  /** `pods`, `deployments`. */
  readonly resource: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Which action tries again with another image. */
export interface ImageRetry {
  readonly release: ReleaseRef;
  readonly again: 'install' | 'upgrade';
}
