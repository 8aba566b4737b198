import type { FieldType, RecordPath, RecordProblem } from '@logtool/helm/src/release/record-problem.ts';

/** Explains why a record is not readable as a release. */
export function recordText(record: RecordProblem): string {
  switch (record.problem) {
    case 'absent':
      return 'it holds no release';
    case 'not-unpacked':
      return `cannot unpack it: ${record.why}`;
    case 'no-json':
      return `it is not JSON: ${record.why}`;
    case 'unreadable':
      return record.why;
    case 'unnamed':
      return 'it has no name or no revision';
    case 'chart-unnamed':
      return 'its chart has no valid name or version';
    case 'misplaced':
      return `it holds ${record.name}`;
    case 'no-object':
      return `${pathText(record.at)} is not an object`;
    case 'field-type':
      return `${pathText(record.at)}: ${record.field} is not ${TYPES[record.type]}`;
    case 'too-many-items':
      return `${pathText(record.at)} has more than ${numberText(record.max)} ${record.field}`;
    case 'history-size':
    case 'history-values':
    case 'too-deep':
    case 'too-large':
    case 'too-many-values':
      return limitText(record);
  }
}

type Limit = Extract<RecordProblem, { readonly max: number } | { readonly maxMiB: number }>;

function limitText(record: Exclude<Limit, { readonly problem: 'too-many-items' }>): string {
  switch (record.problem) {
    case 'too-many-values':
      return `it has more than ${numberText(record.max)} values`;
    case 'history-values':
      return `all revisions together have more than ${numberText(record.max)} values`;
    case 'too-deep':
      return `it is nested more than ${numberText(record.max)} levels deep`;
    case 'too-large':
      return `unpacked, it is larger than ${record.maxMiB} MiB`;
    case 'history-size':
      return `all revisions together are larger than ${record.maxMiB} MiB`;
  }
}

const TYPES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'a whole number',
  list: 'a list',
  object: 'an object',
  texts: 'a list of texts',
};

const ROOTS: Readonly<Record<RecordPath['of'], string>> = {
  release: 'the release',
  file: 'a file of the chart',
  hook: 'a hook',
};

/** Formats `the release's info`. */
function pathText({ of, fields }: RecordPath): string {
  return [ROOTS[of], ...fields].join("'s ");
}

export function numberText(count: number): string {
  return count.toLocaleString('en');
}
