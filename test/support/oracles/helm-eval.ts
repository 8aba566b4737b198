import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HelmVersion, helm } from './helm.ts';

/**
 * Evaluates a template's expression on each case with the real helm, in one call. The expression gets the
 * case (any JSON value) as `$case` and returns a text: `toYaml $case`.
 */
export async function evaluateInHelm(
  version: HelmVersion,
  expression: string,
  cases: readonly unknown[],
): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), 'logtool-helm-eval-'));
  try {
    await mkdir(join(home, 'chart/templates'), { recursive: true });
    const write = (path: string, text: string) => writeFile(join(home, 'chart', path), text);
    await write('Chart.yaml', 'apiVersion: v2\nname: cases\nversion: 1.0.0\n');
    await write('cases.json', JSON.stringify({ cases }));
    await write('templates/cases.yaml', template(expression));
    const result = await helm(version, ['template', 'cases', join(home, 'chart')], { home });
    if (result.exitCode !== 0) throw new Error(`helm ${version}: ${result.stderr}`);
    const lines = result.stdout.toString().split('\n');
    const answers = lines.flatMap((line) => /^ {2}c\d+: "(.*)"$/.exec(line)?.[1] ?? []);
    return answers.map((answer) => Buffer.from(answer, 'base64').toString());
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function template(expression: string): string {
  return [
    'kind: Cases',
    'answers:',
    '{{- range $index, $case := (.Files.Get "cases.json" | fromJson).cases }}',
    `  c{{ $index }}: "{{ ${expression} | b64enc }}"`,
    '{{- end }}',
    '',
  ].join('\n');
}
