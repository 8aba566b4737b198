import { describe, expect, it } from 'vitest';
import { HELM_VERSIONS, helm } from '../../../../test/support/oracles/helm.ts';
import { makeHome } from '../../test/support/home.ts';
import { type Machine, repositoryPaths } from './paths.ts';

const ENVIRONMENTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { XDG_CONFIG_HOME: '/x/config', XDG_CACHE_HOME: '/x/cache' },
  { HELM_CONFIG_HOME: '/h/config', HELM_CACHE_HOME: '/h/cache', XDG_CONFIG_HOME: '/x', XDG_CACHE_HOME: '/x' },
  { HELM_CONFIG_HOME: '', HELM_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '' },
  {
    HELM_REPOSITORY_CONFIG: '/r/repositories.yaml',
    HELM_REPOSITORY_CACHE: '/r/cache',
    HELM_CONFIG_HOME: '/h',
  },
  { HELM_DATA_HOME: '/d', XDG_DATA_HOME: '/e' },
  { HELM_CONFIG_HOME: '/h/../c/', XDG_CACHE_HOME: 'relative' },
];

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  it.each(ENVIRONMENTS)('has its files where logtool has them with %j', async (env) => {
    await using home = await makeHome();
    const { stdout } = await helm(version, ['env'], { home: home.path, env });
    const theirs = new Map(
      [...stdout.toString().matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(repositoryPaths({ env, homeDirectory: home.path, platform: 'linux' })).toEqual({
      config: theirs.get('HELM_REPOSITORY_CONFIG'),
      cache: theirs.get('HELM_REPOSITORY_CACHE'),
    });
  });
});

it.each([
  [
    { platform: 'darwin', homeDirectory: '/Users/ada', env: {} },
    '/Users/ada/Library/Preferences/helm/repositories.yaml',
    '/Users/ada/Library/Caches/helm/repository',
  ],
  [
    {
      platform: 'win32',
      homeDirectory: 'C:\\Users\\ada',
      env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming', TEMP: 'C:\\Temp' },
    },
    'C:\\Users\\ada\\AppData\\Roaming\\helm\\repositories.yaml',
    'C:\\Temp\\helm\\repository',
  ],
] as const)('has them where helm has them on other systems: %j', (machine: Machine, config, cache) => {
  expect(repositoryPaths(machine)).toEqual({ config, cache });
});

it('takes an empty variable for none, where helm would then find no file at all', () => {
  const env = { HELM_REPOSITORY_CONFIG: '', HELM_REPOSITORY_CACHE: '' };
  const machine = { homeDirectory: '/home/ada', platform: 'linux' } as const;
  expect(repositoryPaths({ ...machine, env })).toEqual(repositoryPaths({ ...machine, env: {} }));
});
