import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toolCommand } from '../../../scripts/run/start-tool.mjs';

test('a program of a package is started by Node, without a shell and without npx', () => {
  const [command, script] = toolCommand('@biomejs/biome', 'biome');
  expect(command).toBe(process.execPath);
  const { stdout } = spawnSync(command, [script, '--version'], { encoding: 'utf8' });
  expect(stdout.trim()).toMatch(/^Version: \d/);
});

test('a package without that program is an error', () => {
  expect(() => toolCommand('vitest', 'absent')).toThrow('vitest has no program absent');
});
