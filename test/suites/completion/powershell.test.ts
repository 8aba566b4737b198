import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCRIPTS } from '@logtool/logtool/src/cli/completion/scripts/scripts.ts';
import { expect, onTestFinished, test } from 'vitest';
import { onPath } from './find-shell.ts';

const pwsh = onPath('pwsh');
const PARSE = `$errors = $null
[void][System.Management.Automation.Language.Parser]::ParseFile($env:SCRIPT, [ref]$null, [ref]$errors)
$errors | ForEach-Object { $_.ToString() }`;

if (pwsh === undefined) {
  console.warn('the script for PowerShell is not tried: there is no pwsh on the PATH');
  test.skip('the script for PowerShell: there is no pwsh on the PATH', () => undefined);
} else
  test('PowerShell finds nothing wrong with its script', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'logtool-pwsh-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const script = join(folder, 'logtool.ps1');
    await writeFile(script, SCRIPTS.powershell);
    const outputText = await new Promise<string>((resolve) => {
      const env = { ...process.env, SCRIPT: script };
      execFile(pwsh, ['-NoProfile', '-Command', PARSE], { env }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
    expect(outputText).toBe('');
  });
