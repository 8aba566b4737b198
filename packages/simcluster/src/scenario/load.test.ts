import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { SimClusterError } from '../simcluster-error.ts';
import { loadScenario, parseScenario } from './load.ts';
import { publishedSchema } from './publish.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../../../scenarios');

function whatOf(text: string): string {
  try {
    parseScenario(text, 'x.yaml');
  } catch (error) {
    if (error instanceof SimClusterError) return error.what;
    throw error;
  }
  return 'accepted';
}

describe('a scenario that is not valid', () => {
  it.each([
    ['nodes: [', /^x\.yaml:\d+: the scenario is not valid YAML/],
    ['seed: 1\n', 'x.yaml:1: nodes: Invalid input: expected array, received undefined'],
    [
      'nodes:\n  - name: a\n  - name: B_C\n',
      'x.yaml:3: nodes[1].name: a name in small letters, digits, - and .',
    ],
    [
      'nodes: [{ name: a }]\nworkloads:\n  - kind: Deployment\n    name: web\n    replica: 3\n',
      'x.yaml:3: workloads[0]: Unrecognized key: "replica"',
    ],
    ['nodes: [{ name: a }]\nbackfill: 2 hours\n', /^x\.yaml:2: backfill: a duration such as/],
    [
      'nodes: [{ name: a }]\ntimeline:\n  - at: 1m\n    action: explode\n',
      /^x\.yaml:\d: timeline\[0\]\.action: /,
    ],
    [
      'nodes: [{ name: a }]\ntimeline:\n  - action: oom\n    workload: deployments/web\n',
      'x.yaml:3: timeline[0].at: an event of a scenario needs its time',
    ],
    [
      'nodes: [{ name: a }]\nnamespaces: [a]\nworkloads:\n  - kind: Pod\n    name: p\n    containers:\n      - name: c\n        logs: [{ format: morse }]\n',
      /^x\.yaml:8: workloads\[0\]\.containers\[0\]\.logs\[0\]\.format: /,
    ],
  ])('%j', (text, what) => {
    const problem = whatOf(text);
    if (typeof what === 'string') expect(problem).toBe(what);
    else expect(problem).toMatch(what);
  });

  it('names an unreadable file', async () => {
    await expect(loadScenario('/nowhere/x.yaml')).rejects.toThrow('cannot read the scenario /nowhere/x.yaml');
    await expect(loadScenario('/dev/zero')).rejects.toMatchObject({
      what: 'cannot read the scenario /dev/zero',
      why: 'it is not a regular file',
    });
  });

  it('does not let a hostile alias bomb grow', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
    for (const [now, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map((pair) => [...pair])) {
      bomb.push(`${now}: &${now} [${Array(10).fill(`*${before}`).join(',')}]`);
    }
    expect(whatOf(bomb.join('\n'))).toMatch(/cannot read the scenario/);
  });
});

describe('the published schema', async () => {
  const files = (await readdir(SCENARIOS, { recursive: true })).filter((file) => file.endsWith('.yaml'));
  const validate = new Ajv2020({ strict: false }).compile(publishedSchema());

  it('is scenarios/schema.json', async () => {
    expect(JSON.parse(await readFile(join(SCENARIOS, 'schema.json'), 'utf8'))).toEqual(publishedSchema());
  });

  it.each(files)('accepts %s, as the program does', async (file) => {
    const value = load(await readFile(join(SCENARIOS, file), 'utf8'));
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    await expect(loadScenario(join(SCENARIOS, file))).resolves.toBeDefined();
  });

  it('refuses what the program refuses', () => {
    expect(validate({ nodes: [] })).toBe(false);
    expect(validate({ nodes: [{ name: 'a', colour: 'red' }] })).toBe(false);
  });
});

describe('copies', () => {
  const app = [{ name: 'app' }];

  it('write nodes and workloads out, numbered, over the namespaces in turn', async () => {
    const scenario = await loadScenario({
      nodes: [{ name: 'n', zone: 'z', copies: 2 }, { name: 'single' }],
      namespaces: ['one', 'two'],
      workloads: [
        { kind: 'Deployment', name: 'spread', copies: 3, spread: true, containers: app },
        { kind: 'Deployment', name: 'here', namespace: 'two', copies: 2, containers: app },
      ],
    });
    expect(scenario.nodes.map(({ name, zone }) => [name, zone])).toEqual([
      ['n-1', 'z'],
      ['n-2', 'z'],
      ['single', undefined],
    ]);
    expect(scenario.workloads.map(({ name, namespace }) => `${namespace}/${name}`)).toEqual([
      'one/spread-1',
      'two/spread-2',
      'one/spread-3',
      'two/here-1',
      'two/here-2',
    ]);
  });
});
