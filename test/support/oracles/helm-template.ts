import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type HelmVersion, helm } from './helm.ts';

/** Files of a chart, by path with slashes. */
export type ChartFiles = Readonly<Record<string, string | Uint8Array>>;

export interface TemplateResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Writes files below a directory. */
export async function writeFiles(directory: string, files: ChartFiles): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
}

/**
 * Runs `helm template` on a chart of these files, in a directory where the chart is `chart`, with `beside`
 * next to it.
 */
export async function templateInHelm(
  version: HelmVersion,
  files: ChartFiles,
  flags: readonly string[] = [],
  beside: ChartFiles = {},
): Promise<TemplateResult> {
  const home = await mkdtemp(join(tmpdir(), 'logtool-helm-template-'));
  try {
    await writeFiles(join(home, 'chart'), files);
    await writeFiles(home, beside);
    const result = await helm(version, ['template', 'release', 'chart', ...flags], { home, cwd: home });
    return { ...result, stdout: result.stdout.toString() };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** A template that prints the values of its chart; `shownValues` reads them from helm's output. */
export const VALUES_TEMPLATE =
  'chart: {{ .Template.BasePath | quote }}\nvalues: "{{ .Values | toJson | b64enc }}"\n';

/** Returns the JSON of each chart's values, by the path of its templates. */
export function shownValues(stdout: string): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const match of stdout.matchAll(/^chart: "(.*)"\nvalues: "(.*)"$/gm)) {
    shown[match[1] as string] = Buffer.from(match[2] as string, 'base64').toString();
  }
  return shown;
}
