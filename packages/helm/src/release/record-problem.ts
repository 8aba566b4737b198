/** The content of a storage object that Helm did not write. */
export class MalformedRelease extends Error {
  override readonly name = 'MalformedRelease';
  readonly problem: RecordProblem;

  constructor(problem: RecordProblem) {
    super(JSON.stringify(problem));
    this.problem = problem;
  }
}

/** Why a record is not a readable release. `why` is a message of the library that reads it. */
export type RecordProblem =
  | { readonly problem: 'absent' }
  | { readonly problem: 'not-unpacked' | 'no-json' | 'unreadable'; readonly why: string }
  | { readonly problem: 'unnamed' | 'chart-unnamed' }
  /** `name`: the name of the object that should hold it. */
  | { readonly problem: 'misplaced'; readonly name: string }
  | { readonly problem: 'no-object'; readonly at: RecordPath }
  | {
      readonly problem: 'field-type';
      readonly at: RecordPath;
      readonly field: string;
      readonly type: FieldType;
    }
  | {
      readonly problem: 'too-many-items';
      readonly at: RecordPath;
      readonly field: string;
      readonly max: number;
    }
  | { readonly problem: 'too-many-values' | 'history-values'; readonly max: number }
  | { readonly problem: 'too-deep'; readonly max: number }
  | { readonly problem: 'too-large' | 'history-size'; readonly maxMiB: number };

/** An object in a record (the release, a file of its chart, or a hook), and the path of fields from there. */
export interface RecordPath {
  readonly of: 'release' | 'file' | 'hook';
  readonly fields: readonly string[];
}

export type FieldType = 'text' | 'integer' | 'list' | 'object' | 'texts';
