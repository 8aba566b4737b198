import { fromPlain } from '../../../helm/value/plain.ts';
import { writeYaml } from '../../../helm/yaml/write-yaml.ts';
import type { CliContext } from '../../context.ts';
import type { ReleaseOutput } from '../../plan/cluster-plan.ts';

/** Prints something for programs as JSON or YAML, or for people as the text says it. */
export async function print(
  context: CliContext,
  output: ReleaseOutput,
  plain: unknown,
  text: () => string,
): Promise<void> {
  switch (output) {
    case 'json':
      return context.stdout.write(`${JSON.stringify(plain)}\n`);
    case 'yaml':
      return context.stdout.write(writeYaml(fromPlain(plain)));
    default:
      return context.stdout.write(text());
  }
}
