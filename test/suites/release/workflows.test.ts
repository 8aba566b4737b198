import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CHART_REPOSITORY } from '@logtool/logtool/src/cli/charts/chart-repository.ts';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { archiveName, executableName, TARGETS } from '../../../scripts/binary/binary-targets.mjs';
import { releaseFiles } from '../../../scripts/release/release-files.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, '.github/workflows');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};

/** A step of a job. */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
}
/** A job, reduced to what these tests check. */
interface Job {
  readonly 'timeout-minutes'?: number;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: {
      readonly os?: readonly string[];
      readonly node?: readonly string[];
      readonly include?: readonly { readonly file: string }[];
    };
  };
}
/** A workflow. */
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflow = (name: string) => load(read(`.github/workflows/${name}`)) as Workflow;
const commandsOf = ({ steps }: Job) =>
  steps.flatMap(({ run }) => (run === undefined ? [] : [run])).join('\n');

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const { permissions, jobs } = workflow(name);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('calls only scripts that exist', () => {
    const commands = Object.values(jobs).map(commandsOf).join('\n');
    const scripts = [...commands.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script]) => script!);
    expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
    const files = [...commands.matchAll(/\bnode ((?:scripts|bin)\/\S+)/g)].map(([, file]) => file!);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(scripts.length).toBeGreaterThan(0);
  });

  test('takes actions of GitHub only, each of one version', () => {
    for (const { uses } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@(v\d+(\.\d+){0,2}|[0-9a-f]{40})$/);
    }
  });

  test('may read, and what a job may write beyond that is stated on the job', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  test('ends each job that hangs, and waits only for jobs that exist', () => {
    for (const job of Object.values(jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      if (job.needs !== undefined) expect(Object.keys(jobs)).toContain(job.needs);
    }
  });

  test('puts no text that others write into a command', () => {
    expect(Object.values(jobs).map(commandsOf).join('\n')).not.toMatch(/\$\{\{\s*(github|inputs|secrets)\./);
  });
});

test('CI runs on Linux, macOS and Windows, with each supported Node', () => {
  const { jobs } = workflow('ci.yml');
  expect(Object.values(jobs).map(({ permissions }) => permissions)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  for (const name of ['linux', 'others']) {
    const nodes = jobs[name]?.strategy?.matrix.node ?? [];
    expect(nodes).toEqual([manifest.engines.node.replace(/^>=(\d+\.\d+).*$/, '$1'), '22', '24']);
  }
  expect(jobs.others?.strategy?.matrix.os?.map((os) => os.split('-')[0])).toEqual(['macos', 'windows']);
  expect(commandsOf(jobs.linux!)).toContain('npm test');
});

test('git checks out line feeds on every system, and does not change binary files', () => {
  const rules = read('.gitattributes')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules[0]).toBe('* text=auto eol=lf');
  const exact = rules.filter((line) => line.endsWith(' -text'));
  expect(exact).toEqual(['test/recorded/** -text', 'test/golden/** -text']);
  const binary = rules.slice(1, -2).map((line) => /^\*\.(\w+) binary$/.exec(line)?.[1]);
  expect(binary).toEqual(expect.arrayContaining(['png', 'woff2', 'gz', 'tgz', 'bin']));
  expect(binary).not.toContain(undefined);
});

test('only the jobs that publish may write, each no more than its steps need', () => {
  const { jobs } = workflow('release.yml');
  const permissions = Object.entries(jobs).map(([name, job]) => [name, job.permissions ?? {}]);
  expect(Object.fromEntries(permissions)).toEqual({
    build: {},
    try: {},
    publish: { contents: 'write', packages: 'write', 'id-token': 'write', attestations: 'write' },
    'chart-repository': { pages: 'write', 'id-token': 'write' },
  });
  expect(commandsOf(jobs.publish!)).toContain('npm publish ./package --provenance');
});

test('a release has every executable and archive that the build makes, and each one for an own system is tried', () => {
  const names = releaseFiles(manifest.version).map(({ name }) => name);
  const made = TARGETS.flatMap((target) => [executableName(target), archiveName(target)]);
  expect(names.filter((name) => /^logtool-(linux|darwin|windows)-/.test(name))).toEqual(made);
  expect(new Set(names).size).toBe(names.length);
  const { jobs } = workflow('release.yml');
  const tried = jobs.try?.strategy?.matrix.include?.map(({ file }) => file) ?? [];
  const own = TARGETS.filter(({ name }) => !name.endsWith('-musl')).map(executableName);
  expect([...tried].sort()).toEqual([...own].sort());
  const build = commandsOf(jobs.build!);
  for (const command of ['build:binary -- --all', 'build:manifests', 'build:sbom', 'build:image', 'package'])
    expect(build).toContain(`npm run ${command}`);
});

test('README installs from files that a release has, and from no index that nothing publishes to', () => {
  const readme = read('README.md');
  const latest = 'https://github.com/logtool/logtool/releases/latest/download/';
  const linked = readme
    .split(latest)
    .slice(1)
    .map((rest) => /^[\w.-]+/.exec(rest)?.[0]);
  expect(linked).toEqual(['logtool.rb', 'logtool.json', 'logtool.krew.yaml']);
  const names = releaseFiles(manifest.version).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(linked));
  for (const line of readme.split('\n').filter((each) => /^\| (Homebrew|Scoop|kubectl plugin) /.test(each)))
    expect(line).toContain(latest);
});

test('the image and the chart go where the chart and the program expect them', () => {
  const { jobs } = workflow('release.yml');
  const { image } = load(read('charts/logtool/values.yaml')) as { image: Record<string, string> };
  expect(jobs.publish?.env?.IMAGE).toBe(`${image.registry}/${image.repository}`);
  const published = jobs['chart-repository']?.env?.CHART_REPOSITORY;
  // If the program has no repository of its own, there is nothing to compare.
  expect(published).toBe(CHART_REPOSITORY.url ?? published);
  const chart = load(read('charts/logtool/Chart.yaml')) as Record<string, string>;
  expect(chart).toMatchObject({ version: manifest.version, appVersion: manifest.version });
});
