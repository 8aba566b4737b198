import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bytesToText } from '@logtool/helm/src/value/bytes.ts';
import { type HelmVersion, helm } from '../../../../test/support/oracles/helm.ts';
import { type ParityCase, SHARED_FILES, SHARED_VALUES } from './case.ts';

/** What a template gave: its text, or the message of its error. */
export type Answer = { readonly text: string } | { readonly error: string };

/** The chart of only one case, for its error. */
export function chartOfOne(name: string, { template, values }: ParityCase): Record<string, string> {
  return {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    'values.yaml': JSON.stringify(values ?? SHARED_VALUES),
    'templates/t.yaml': template,
    ...(template.includes('.Files') ? SHARED_FILES : {}),
  };
}

const ALL = 'all';

/** The chart of many cases: each is a partial of its own, and one template shows what all of them give. */
function chartOfAll(cases: ReadonlyMap<string, ParityCase>): Record<string, string> {
  const files: Record<string, string> = {
    'Chart.yaml': `apiVersion: v2\nname: ${ALL}\nversion: 1.0.0\n`,
    ...SHARED_FILES,
  };
  const lines: string[] = [];
  for (const [name, { template, values }] of cases) {
    files[`templates/_${name}.tpl`] = template;
    files[`cases/${name}.json`] = JSON.stringify(values ?? SHARED_VALUES);
    const dot = `dict "Values" (fromJson (.Files.Get "cases/${name}.json")) "Chart" .Chart "Files" .Files "Template" .Template "Release" .Release "Capabilities" .Capabilities "Subcharts" .Subcharts`;
    lines.push(`${name}: {{ include "${ALL}/templates/_${name}.tpl" (${dot}) | b64enc | quote }}`);
  }
  files['templates/answers.yaml'] = `kind: Answers\n${lines.join('\n')}\n`;
  return files;
}

/** The texts in what `answers.yaml` gave. */
function readAnswers(manifest: string): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const [, name, text] of manifest.matchAll(/^(c\d+): "(.*)"$/gm)) {
    // What a value that is not there prints is taken out of what a template gives, not of what include gives.
    const whole = bytesToText(Buffer.from(text!, 'base64'));
    answers.set(name!, { text: whole.replaceAll('<no value>', '') });
  }
  return answers;
}

export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), path.endsWith('.bin') ? Buffer.from(text, 'latin1') : text);
  }
}

/**
 * The real helm's result for each case. `helm lint` accepts any number of charts and continues after an
 * error, so one run of it covers all failing ones; one `helm template` renders all others. `doubtful` names
 * those that may fail: if another one does, lint runs on all. Cases that lint accepts (`required` and `fail`)
 * are rendered one by one.
 */
export async function askHelm(
  version: HelmVersion,
  folder: ChartFolder,
  cases: ReadonlyMap<string, ParityCase>,
  doubtful: ReadonlySet<string>,
): Promise<Map<string, Answer>> {
  const answers = await errorsOf(version, folder, new Map([...cases].filter(([name]) => doubtful.has(name))));
  let rest = new Map([...cases].filter(([name]) => !answers.has(name)));
  let result = await renderAll(version, folder, rest);
  if (result.exitCode !== 0 && doubtful.size < cases.size) {
    for (const [name, answer] of await errorsOf(version, folder, rest)) answers.set(name, answer);
    rest = new Map([...cases].filter(([name]) => !answers.has(name)));
    result = await renderAll(version, folder, rest);
  }
  if (result.exitCode !== 0) throw new Error(`helm ${version}: ${result.stderr}`);
  for (const [name, answer] of readAnswers(result.stdout.toString())) answers.set(name, answer);
  return answers;
}

/** Where the charts of cases are: thousands, written once for all helms. */
export class ChartFolder {
  readonly home: string;
  readonly #written = new Set<string>();

  private constructor(home: string) {
    this.home = home;
  }

  static async create(): Promise<ChartFolder> {
    return new ChartFolder(await mkdtemp(join(tmpdir(), 'logtool-parity-')));
  }

  async write(cases: ReadonlyMap<string, ParityCase>): Promise<void> {
    for (const [name, one] of cases) {
      if (this.#written.has(name)) continue;
      await writeFiles(join(this.home, name), chartOfOne(name, one));
      this.#written.add(name);
    }
  }

  async remove(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}

async function renderAll(
  version: HelmVersion,
  { home }: ChartFolder,
  cases: ReadonlyMap<string, ParityCase>,
) {
  await rm(join(home, ALL), { recursive: true, force: true });
  await writeFiles(join(home, ALL), chartOfAll(cases));
  return helm(version, ['template', 'release', join(home, ALL)], { home });
}

/** The cases that fail, with their errors. */
async function errorsOf(
  version: HelmVersion,
  folder: ChartFolder,
  cases: ReadonlyMap<string, ParityCase>,
): Promise<Map<string, Answer>> {
  if (cases.size === 0) return new Map();
  const { home } = folder;
  await folder.write(cases);
  const answers = await lintErrors(version, home, [...cases.keys()]);
  for (const [name, { template }] of cases) {
    if (answers.has(name) || !/\b(required|fail)\b/.test(template)) continue;
    const error = await errorOf(version, home, name);
    if (error !== undefined) answers.set(name, { error });
  }
  return answers;
}

async function lintErrors(
  version: HelmVersion,
  home: string,
  names: readonly string[],
): Promise<Map<string, Answer>> {
  const { stdout } = await helm(version, ['lint', ...names], { home, cwd: home });
  const answers = new Map<string, Answer>();
  for (const report of stdout.toString().split(/^==> Linting /m)) {
    const name = report.slice(0, report.indexOf('\n'));
    // The error of rendering names only the folder; the text after it is other findings.
    const found = /^\[ERROR\] templates\/: ([\s\S]*?)\n(?:\n|\[(?:INFO|WARNING|ERROR)\] )/m.exec(report);
    if (found !== null) answers.set(name, { error: found[1]! });
  }
  return answers;
}

async function errorOf(version: HelmVersion, home: string, name: string): Promise<string | undefined> {
  const { exitCode, stderr } = await helm(version, ['template', 'release', join(home, name)], { home });
  if (exitCode === 0) return undefined;
  const message = helmError(stderr);
  // The template gave a text, but that is no manifest: here only the text counts.
  return message.startsWith('YAML parse error') ? undefined : message;
}

/** The message in what helm writes when it fails. */
export function helmError(stderr: string): string {
  const message = /(?:^|\n)Error: ([\s\S]*?)\n(?:\nUse --debug flag[\s\S]*)?$/.exec(stderr)?.[1];
  if (message === undefined) throw new Error(stderr);
  return message;
}
