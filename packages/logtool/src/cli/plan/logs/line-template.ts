import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { COLUMN_NAMES } from '../../../domain/columns.ts';
import { badValue } from '../../messages/errors.ts';
import type { Setting } from '../../settings/setting.ts';
import type { TemplateToken } from './logs-plan.ts';

const COLUMNS = COLUMN_NAMES.filter((name) => name !== 'dot');
const FIELDS = ['time', ...COLUMNS, 'message', 'level', 'json.KEY'] as const;
const EXAMPLE = "--format '{time} {pod} {message}'";
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };
const PIECES = /\{\{|\}\}|\{([^{}]*)\}|\\([nt\\])|([^{}\\]+|\\)|([{}])/g;

/**
 * Parses `{time} {json.user.id}`: `{{` and `}}` are braces, `
 * `, `\t` and `\\` as in C. Throws usage errors.
 */
export function parseTemplate(setting: Setting): readonly TemplateToken[] {
  const text = setting.value ?? '';
  if (text === '') throw badValue('empty-format', setting, { example: EXAMPLE });
  return [...text.matchAll(PIECES)].map((match): TemplateToken => {
    const [whole, field, escaped, plain, brace] = match;
    if (field !== undefined) return readField(field.trim(), setting);
    if (brace !== undefined) {
      throw badValue('bad-format', setting, { brace, position: match.index + 1 });
    }
    if (escaped !== undefined) return { kind: 'text', text: ESCAPES[escaped] ?? escaped };
    return { kind: 'text', text: plain ?? whole.slice(1) };
  });
}

function readField(name: string, setting: Setting): TemplateToken {
  if (name === 'time') return { kind: 'column', column: 'timestamp' };
  if (name === 'message' || name === 'level') return { kind: name };
  const column = COLUMNS.find((each) => each === name);
  if (column !== undefined) return { kind: 'column', column };
  const [first, ...path] = name.split('.');
  if (first === 'json' && path.length > 0 && path.every((key) => key !== '')) return { kind: 'json', path };
  throw badValue('unknown-field', setting, { name, fields: FIELDS, near: nearNames(name, FIELDS, 3) });
}
