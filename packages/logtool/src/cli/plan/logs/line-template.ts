import { type LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { COLUMN_NAMES, type ColumnName } from '../../domain/columns.ts';
import type { Setting } from './settings.ts';

/** One piece of a line of --format: text as it is, a column, another field of the record, a value of a JSON message. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly column: Exclude<ColumnName, 'dot'> }
  | { readonly kind: 'message' }
  | { readonly kind: 'level' }
  /** Keys from the outermost object on; a number is a place in a list. */
  | { readonly kind: 'json'; readonly path: readonly string[] };

const COLUMNS = COLUMN_NAMES.filter((name) => name !== 'dot');
const FIELDS = ['time', ...COLUMNS, 'message', 'level', 'json.KEY'] as const;
const EXAMPLE = "--format '{time} {pod} {message}'";
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };
const PIECES = /\{\{|\}\}|\{([^{}]*)\}|\\([nt\\])|([^{}\\]+|\\)|([{}])/g;

/** Reads `{time} {json.user.id}`: `{{` and `}}` are braces, `\n`, `\t` and `\\` as in C. Throws usage errors. */
export function parseTemplate(setting: Setting): readonly TemplatePart[] {
  const text = setting.value ?? '';
  if (text === '') throw badTemplate('empty-value', setting, 'the format is empty', `write ${EXAMPLE}`);
  return [...text.matchAll(PIECES)].map((match): TemplatePart => {
    const [whole, field, escaped, plain, brace] = match;
    if (field !== undefined) return readField(field.trim(), setting);
    if (brace !== undefined) {
      const why = `the ${brace} at character ${match.index + 1} has no partner`;
      throw badTemplate('bad-format', setting, why, `write ${brace}${brace} for the character itself`);
    }
    if (escaped !== undefined) return { kind: 'text', text: ESCAPES[escaped] ?? escaped };
    return { kind: 'text', text: plain ?? whole.slice(1) };
  });
}

function readField(name: string, setting: Setting): TemplatePart {
  if (name === 'time') return { kind: 'column', column: 'timestamp' };
  if (name === 'message' || name === 'level') return { kind: name };
  const column = COLUMNS.find((each) => each === name);
  if (column !== undefined) return { kind: 'column', column };
  const [first, ...path] = name.split('.');
  if (first === 'json' && path.length > 0 && path.every((key) => key !== '')) return { kind: 'json', path };
  const near = nearNames(name, FIELDS, 3);
  throw badTemplate(
    'unknown-field',
    setting,
    `there is no field {${sanitizeText(name.slice(0, 80))}}${near.length === 0 ? '' : `; did you mean ${near.map((each) => `{${each}}`).join(' or ')}?`}`,
    `the fields are ${FIELDS.join(', ')}`,
  );
}

function badTemplate(code: string, setting: Setting, why: string, next: string): LogtoolError {
  const what = `bad value of ${setting.written}: ${sanitizeText((setting.value ?? '').slice(0, 200)) || '(empty)'}`;
  return usageError({ code, what, why, next });
}
