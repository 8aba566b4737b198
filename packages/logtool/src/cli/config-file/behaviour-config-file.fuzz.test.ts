import fc from 'fast-check';
import { expect, test } from 'vitest';
import { damage, damaged } from '../../../../../test/support/fuzz/damage.ts';
import { expectCleanPrototypes, expectPlain } from '../../../../../test/support/fuzz/escaped.ts';
import { hostileText } from '../../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../../test/support/fuzz/seed.ts';
import type { SettingValue } from '../flags/flag.ts';
import { CliError } from '../messages/cli-error.ts';
import { worded } from '../messages/worded.ts';
import { errorText } from '../output/error-text.ts';
import { CONFIG_KEYS } from './keys.ts';
import { readConfigFile } from './read.ts';
import { renderConfig } from './render.ts';

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CONFIG_KEYS.map(({ path }) => path)) },
  fc.constantFrom('__proto__', 'constructor.prototype', 'commands', 'commands.logs.tial', 'a'.repeat(2000)),
  hostileText,
);
const value = fc.oneof(
  fc.constantFrom('1', '"5"', 'null', '[]', '{}', '[pod]', '["pod", 1]', '1e999', '-0', '.nan', '~', 'true'),
  fc.constantFrom(
    '0x10',
    '99999999999999999999',
    '1979-05-27',
    '*a',
    '&a [*a]',
    '!!binary gA==',
    '!!set {a}',
  ),
  fc.constantFrom(
    '[null]',
    '[[1]]',
    '[{a: 1}]',
    '"""',
    "'''",
    '|',
    '["\\u001b[2J"]',
    '[1979-05-27]',
    '[.inf]',
  ),
  hostileText,
  hostileText.map((text) => JSON.stringify([text])),
);
const yaml = fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) =>
  entries
    .map(([path, text]) => {
      const keys = path.split('.');
      return keys
        .map((key, depth) => `${'  '.repeat(depth)}${key}:`)
        .join('\n')
        .concat(` ${text}\n`);
    })
    .join(''),
);
const toml = fc
  .array(fc.tuple(key, value), { maxLength: 4 })
  .map((entries) => entries.map(([path, text]) => `${path} = ${text}\n`).join(''));
const json = fc
  .array(fc.tuple(key, fc.oneof(fc.jsonValue({ maxDepth: 3 }), hostileText)), { maxLength: 3 })
  .map((entries) => {
    const nested = entries.map(([path, leaf]) =>
      path
        .split('.')
        .reduceRight<string>((inside, key) => `{${JSON.stringify(key)}:${inside}}`, JSON.stringify(leaf)),
    );
    return nested.length === 1 ? (nested[0] ?? '') : `[${nested.join(',')}]`;
  });
/** Numbers that are not counts, in place of counts. */
const oddNumber = fc
  .tuple(
    fc.constantFrom(
      ...CONFIG_KEYS.filter(({ kind, path }) => kind === 'integer' && path !== 'version').map(
        ({ path }) => path,
      ),
    ),
    fc.constantFrom('.nan', 'nan', '.inf', '-.inf', 'inf', '1.5', '-1', '1e3', '1e999', '9007199254740993'),
    fc.boolean(),
  )
  .map(([path, number, asToml]) => {
    const at = path.lastIndexOf('.');
    if (asToml) return `[${path.slice(0, at)}]\n${path.slice(at + 1)} = ${number}\n`;
    return `${path
      .split('.')
      .map((key) => `{${key}: `)
      .join('')}${number}${'}'.repeat(path.split('.').length)}`;
  });
/** What config init writes, with one kind of damage. */
const written = fc
  .tuple(fc.constantFrom('yaml', 'json', 'toml'), damage)
  .map(([format, harm]) => damaged(Buffer.from(renderConfig(format as 'yaml')), harm).toString());
const text = fc.oneof(
  { weight: 2, arbitrary: yaml },
  { weight: 2, arbitrary: toml },
  json,
  written,
  oddNumber,
  hostileText,
);

function expectOfKind(path: string, found: SettingValue): void {
  const key = CONFIG_KEYS.find((each) => each.path === path);
  // `config init` writes this for a flag without a default: it stays unset.
  if (found === '' && key?.default === '') return;
  const kinds = { text: 'string', boolean: 'boolean', integer: 'number', columns: 'object' };
  expect(typeof found).toBe(kinds[key?.kind ?? 'text']);
  if (typeof found === 'number') expect(Number.isSafeInteger(found) && found >= 0).toBe(true);
}

test(`any configuration file gives values of their kinds, or an error for people (${FUZZED})`, async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('', '.yaml', '.json', '.toml'), async (content, extension) => {
      const files = { readSmallFile: async () => Buffer.from(content) } as never;
      try {
        const world = { files, homeDirectory: '/home', workingDirectory: '/work' };
        const { values } = await readConfigFile(world, `config${extension}`);
        read++;
        for (const [path, found] of values) {
          expectOfKind(path, found);
        }
      } catch (error) {
        if (!(error instanceof CliError) || error.exit !== 'usage') throw error;
        const shown = worded(error);
        expect(shown.code).toMatch(/^config-/);
        expect(shown.why).not.toMatch(/TypeError|is not a function|undefined/);
        expectPlain(errorText(shown), content);
      }
    }),
    FUZZ,
  );
  expect(read).toBeGreaterThan(FUZZ.numRuns / 20);
  expectCleanPrototypes('configuration files');
});
