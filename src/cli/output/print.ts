import { fromPlain } from '../../helm/value/plain.ts';
import { writeYaml } from '../../helm/yaml/write-yaml.ts';
import type { CliContext } from '../context.ts';
import type { OutputKind } from '../plan/output-kind.ts';
import { sanitizeLines } from './text-table.ts';

/** What a terminal obeys and JSON does not escape by itself: controls from DEL on, and what reorders text. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Characters that YAML has no place for: one of them must not cost all the rest. */
const CONTROLS = /[\x7f-\x9f\ufffe\uffff]/g;

function yamlText(plain: unknown, isTTY: boolean): string {
  const json = JSON.stringify(plain).replace(CONTROLS, (character) => `\\${escaped(character)}`);
  const text = writeYaml(fromPlain(JSON.parse(json)));
  return isTTY ? sanitizeLines(text) : text;
}

/** Prints something for programs as JSON or YAML, or for people as the text says it. */
export async function print(
  context: CliContext,
  output: OutputKind,
  plain: unknown,
  text: () => string,
): Promise<void> {
  switch (output) {
    case 'json':
      return context.stdout.write(`${JSON.stringify(plain).replace(UNSAFE, escaped)}\n`);
    case 'yaml':
      return context.stdout.write(yamlText(plain, context.stdout.isTTY));
    default:
      return context.stdout.write(text());
  }
}
