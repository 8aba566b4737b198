import { readConfigFile } from '../config-file/read.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { maskSecrets } from '../output/error-text.ts';
import { print } from '../output/print.ts';
import { tableText } from '../output/text-table.ts';
import { planConfigShow } from '../plan/plan-config.ts';
import { planProgram } from '../plan/plan-program.ts';
import { type EffectiveSetting, effectiveSettings } from '../settings/effective-settings.ts';

/**
 * Prints the effective settings, from the configuration file, the variables and the defaults, with their
 * origin.
 */
export async function configShow(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const { output } = planConfigShow(context, raw);
  const config = await readConfigFile(context, planProgram(context, raw).configFile);
  // This flag is the format of this list, not a setting.
  const flags = new Map([...raw.flags].filter(([name]) => name !== 'output'));
  const settings = effectiveSettings(context.env, config, flags).map(withoutSecrets);
  await print(context, output, settings, () =>
    tableText(
      ['KEY', 'VALUE', 'FROM'],
      settings.map(({ key, value, from }) => [key, valueText(value), from]),
    ),
  );
  return EXIT.done;
}

/** Masks secrets: the address of a repository may hold a password. */
function withoutSecrets(setting: EffectiveSetting): EffectiveSetting {
  return typeof setting.value === 'string' ? { ...setting, value: maskSecrets(setting.value) } : setting;
}

function valueText(value: EffectiveSetting['value']): string {
  if (value === '') return '-';
  return typeof value === 'object' ? value.join(',') : String(value);
}
