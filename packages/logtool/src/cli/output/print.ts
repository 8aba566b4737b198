import { fromPlain } from '@logtool/helm/src/value/plain.ts';
import { writeYaml } from '@logtool/helm/src/yaml/write/write-yaml.ts';
import type { CliContext } from '../context.ts';
import type { OutputKind } from '../plan/output-kind.ts';
import { escapeJson } from './format/escape-json.ts';
import { sanitizeLines } from './text-table.ts';

/** Characters that YAML cannot contain: one of them must not prevent the whole output. */
const CONTROLS = /[\x7f-\x9f\ufffe\uffff]/g;

const escapeControl = (control: string) => `\\\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;

function yamlText(plain: unknown, isTTY: boolean): string {
  const json = JSON.stringify(plain).replace(CONTROLS, escapeControl);
  const text = writeYaml(fromPlain(JSON.parse(json)));
  return isTTY ? sanitizeLines(text) : text;
}

/** Prints JSON or YAML for programs, or `text` for people. */
export async function print(
  context: CliContext,
  output: OutputKind,
  plain: unknown,
  text: () => string,
): Promise<void> {
  switch (output) {
    case 'json':
      return context.stdout.write(`${escapeJson(JSON.stringify(plain))}\n`);
    case 'yaml':
      return context.stdout.write(yamlText(plain, context.stdout.isTTY));
    case 'table':
      return context.stdout.write(text());
    default:
      output satisfies never;
  }
}
