import type { ImageFault } from '@logtool/kube/src/values/image-reference.ts';
import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { WaitReason } from '../domain/frame.ts';
import type { NameFault } from '../domain/names.ts';
import type { PatternSize } from '../domain/patterns/filter-failures.ts';
import type { Window } from '../domain/window.ts';
import type { ConfigFormat } from './config-file/config-format.ts';

/** A flag, a variable or a key, as the user wrote it: `--tail`, `LOGTOOL_TAIL`. */
type Written = string;

/** Commands and flags that do not exist, conflict or lack something. */
export interface UsageFailures {
  'unknown-command': { readonly name: string; readonly commands: readonly string[]; readonly near?: string };
  'needs-subcommand': { readonly name: string };
  'unexpected-argument': { readonly command: string; readonly operand: string; readonly max: number };
  'no-shell': { readonly shells: readonly string[] };
  'unknown-shell': { readonly name: string; readonly shells: readonly string[]; readonly near?: string };
  'unknown-flag': {
    readonly command: string;
    readonly written: Written;
    readonly suggestion: FlagSuggestion;
  };
  'flag-needs-value': { readonly command: string; readonly written: Written };
  'letter-needs-number': {
    readonly written: Written;
    readonly name: string;
    readonly doc: string;
    readonly advice: string;
  };
  'exclusive-selection': { readonly written: readonly Written[] };
  'exclusive-start': { readonly inclusive: string; readonly strict: string };
  'exclusive-end': { readonly inclusive: string; readonly strict: string };
  'exclusive-namespaces': { readonly written: Written };
  'exclusive-format': { readonly written: Written };
  /** `page`: the flag that asks for one page of several. */
  'exclusive-context': { readonly page: Written; readonly written: Written };
  'exclusive-group': { readonly other: Written; readonly written: Written };
  'events-with-raw': { readonly written: Written; readonly raw: Written };
  'exclusive-count': { readonly written: Written };
  'bucket-without-count': { readonly written: Written };
  'raw-with-json': { readonly written: Written; readonly format: string };
  'columns-without-effect': {
    readonly written: Written;
    readonly by: Written;
    readonly format: 'raw' | 'json' | 'pretty' | 'template';
  };
  'fields-without-pretty': { readonly written: Written };
  'follow-with-end': { readonly follow: Written; readonly end: Written };
  'follow-with-head': { readonly follow: Written; readonly head: Written };
  'follow-with-previous': { readonly follow: Written; readonly previous: Written };
  'backend-with-rotated': { readonly backend: Written; readonly rotated: Written };
  'follow-with-rotated': { readonly follow: Written; readonly rotated: Written };
  'empty-window': { readonly start: { readonly written: Written; readonly value: string | undefined } } & {
    readonly end: { readonly written: Written; readonly value: string | undefined };
  };
  'grep-needs-force': Record<never, never>;
  'context-needs-filter': { readonly written: Written };
  'in-cluster-with-kubeconfig': { readonly written: Written };
  'as-needed': { readonly written: Written };
  'auth-needed': { readonly host: string; readonly inCluster: boolean };
  'session-key-file-without-kubernetes': { readonly written: Written; readonly auth: string };
  'value-set-twice': { readonly flag: Written; readonly key: string; readonly keys: readonly string[] };
  'value-of-other-chart': { readonly flag: Written; readonly chart: string; readonly own: string };
  'password-unreadable': { readonly why: string };
  'chart-unreadable': { readonly path: string; readonly why: string };
  'values-file-unreadable': {
    readonly file: string;
    readonly why: string | undefined;
    readonly isDownloaded: boolean;
  };
}

/** What the user may have meant by a flag that neither the command nor another tool has. */
export type FlagSuggestion =
  /** `value`: set if the flag means the same only with this value. */
  | { readonly kind: 'near'; readonly name: string; readonly value?: string | undefined }
  /** A command has the flag, but no command precedes it. */
  | { readonly kind: 'after-command' }
  | { readonly kind: 'none' };

/** Invalid values of a flag, a variable or a key. Each message begins with its name and the value. */
export interface ValueFailures {
  'bad-boolean': Record<never, never>;
  'count-negative': { readonly example: number };
  'count-not-integer': { readonly example: number };
  'count-too-large': Record<never, never>;
  'count-zero': Record<never, never>;
  'bad-size': Record<never, never>;
  'bad-choice': {
    readonly choices: readonly string[];
    readonly near?: string | undefined;
    /** How to write a list of choices, where the flag takes one. */
    readonly list?: string | undefined;
    readonly advice?: string;
  };
  'empty-list': Record<never, never>;
  'empty-value': { readonly example: string };
  'unknown-column': { readonly columns: readonly string[]; readonly near?: string | undefined };
  /** `limits`: the allowed range, if there is one. */
  'bad-duration': { readonly limits?: string; readonly examples: readonly [string, string] };
  'bad-timezone': Record<never, never>;
  'bad-field-selector': Record<never, never>;
  'bad-name': NameFault;
  'bad-namespace': NameFault;
  'bad-image': ImageFault;
  'bad-pattern': { readonly why: string };
  'bad-field': Record<never, never>;
  'bad-field-number': Record<never, never>;
  'pattern-too-large': PatternSize;
  'bad-host': Record<never, never>;
  'bad-http-address': Record<never, never>;
  'bad-port': { readonly max: number; readonly next: string };
  'metrics-port-taken': Record<never, never>;
  'bad-api-address': Record<never, never>;
  'bad-allowed-host': Record<never, never>;
  'bad-base-path': Record<never, never>;
  'empty-format': { readonly example: string };
  'bad-format': { readonly brace: string; readonly position: number };
  'unknown-field': {
    readonly name: string;
    readonly fields: readonly string[];
    readonly near: readonly string[];
  };
  'time-without-zone': { readonly text: string };
  'time-date-only': { readonly text: string };
  'time-out-of-range': { readonly takes: 'durations' | 'cursors' };
  'time-malformed': { readonly takes: 'durations' | 'cursors' };
  /** `instead`: the flag that takes a duration. */
  'duration-not-allowed': { readonly text: string; readonly instead: string };
  'duration-calendar': Record<never, never>;
  'duration-negative': Record<never, never>;
  'cursor-not-allowed': Record<never, never>;
}

/** Failures of the configuration file; `position` is its path, with the line if known. */
export interface ConfigFailures {
  'config-not-found': { readonly path: string };
  'config-unreadable': { readonly path: string; readonly why: Why; readonly isForbidden: boolean };
  /** `rewrite`: the command that writes a new file. */
  'config-invalid': { readonly position: string; readonly why: string; readonly rewrite: string };
  'config-version': {
    readonly position: string;
    readonly version: number;
    readonly known: number;
    readonly rewrite: string;
  };
  'config-unknown-key': {
    readonly position: string;
    readonly key: string;
    readonly keys: readonly string[];
    readonly near?: string | undefined;
  };
  'config-not-a-section': {
    readonly position: string;
    readonly path: string;
    readonly keys: readonly string[];
  };
  'config-wrong-type': {
    readonly position: string;
    readonly key: string;
    readonly wanted: string;
    readonly doc: string;
    readonly default: unknown;
  };
  'config-unknown-column': {
    readonly position: string;
    readonly key: string;
    readonly name: string;
    readonly columns: readonly string[];
    readonly near?: string | undefined;
  };
  'config-file-exists': { readonly path: string };
  'config-format-mismatch': {
    readonly path: string;
    readonly named: ConfigFormat;
    readonly format: ConfigFormat;
  };
}

/** What fails while a command runs and is not a usage mistake. */
export interface CommandFailures {
  unexpected: { readonly why: string };
  /** Concerns the files that a single executable carries inside. */
  'no-room-for-files': { readonly why: string };
  'no-licenses': { readonly name: string; readonly why: string };
  /** A file that the agent or the API of logtool needs to prove itself, or to recognize who asks. */
  'agent-file': { readonly file: string } & (
    | { readonly problem: 'unreadable'; readonly systemCode: string }
    | { readonly problem: 'not-certificates' | 'other-key' | 'no-authority' }
  );
  /** The Secret in which the API keeps its authorities has something else. */
  'agent-authorities': { readonly namespace: string; readonly secret: string };
  'agent-cannot-listen': { readonly port: number; readonly systemCode: string };
  'scenario-not-found': Record<never, never>;
  'config-not-writable': { readonly path: string; readonly why: string };
  'nothing-to-pick': {
    readonly namespaces: readonly string[] | undefined;
    readonly notices: readonly string[];
  };
  'chart-not-found': Record<never, never>;
  'chart-version-not-found': {
    readonly name: string;
    readonly version: string;
    readonly range: string;
    readonly from: string;
  };
  'container-waiting': {
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
    readonly reason: WaitReason;
  };
  'no-previous': Record<never, never>;
  'empty-result': EmptyRead;
}

/** Containers that were read without finding a record. */
export interface EmptyRead {
  readonly window: Window;
  readonly containers: readonly ContainerTarget[];
  /** Whether a content filter may have removed all records. */
  readonly filtered: boolean;
  /** Whether --search-limit ended the search. */
  readonly searchWasLimited: boolean;
}

/** Notices of the command line. */
export interface CliNotices {
  /** In this many containers, the byte limit cut messages. */
  'bytes-limited': { readonly containers: number };
}
