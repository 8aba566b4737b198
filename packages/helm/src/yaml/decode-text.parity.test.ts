import { expect, it } from 'vitest';
import { HELM_VERSIONS, type HelmVersion } from '../../../../test/support/oracles/helm.ts';
import {
  shownValues,
  templateInHelm,
  VALUES_TEMPLATE,
} from '../../../../test/support/oracles/helm-template.ts';
import { writeJson } from '../json/write-json.ts';
import { readUserValues } from '../values/user-values.ts';
import { decodeYamlText } from './decode-text.ts';
import { YamlError } from './yaml-error.ts';

const little = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const big = (text: string) => little(text).swap16();

const FILES: Readonly<Record<string, Buffer>> = {
  'UTF-8': Buffer.from('a: é😀\nb: {c: 1}\n'),
  'UTF-8 with its mark': Buffer.from('\ufeffa: é😀\n'),
  'UTF-8 with its mark before a separator': Buffer.from('\ufeff---\na: 1\n'),
  'two documents': Buffer.from('a: 1\nb: {c: 1}\n---\nb: {d: 2}\n'),
  'UTF-16, little end first': little('a: é😀\nb:\n- ☃\n'),
  'UTF-16, big end first': big('a: é😀\r\nb: {c: 1}\r\n'),
  'UTF-16, empty': little(''),
  'UTF-16, half a character': little('a: 1\n').subarray(0, -1),
  'UTF-16, a lone low surrogate': little('a: \udc00b\n'),
  'UTF-16, a lone high surrogate': little('a: \ud800b\n'),
  'UTF-16, a high surrogate last': little('a: \ud800'),
  'UTF-16 without its mark': little('a: 1\n').subarray(2),
  'no UTF-8': Buffer.from('a: \xff\n', 'latin1'),
  'an empty file': Buffer.from(''),
};

/** Helm 3 reads only the first document; Helm 4 drops the last byte of a text that ends with a line break and NUL. */
const ONLY_IN: Readonly<Record<string, HelmVersion>> = {
  'two documents': '4.1.4',
  'UTF-16, little end first': '3.17.2',
  'UTF-16, empty': '3.17.2',
};

const EACH = Object.entries(FILES).flatMap(([name, bytes]) =>
  HELM_VERSIONS.filter((version) => version === (ONLY_IN[name] ?? version)).map(
    (version) => [name, version, bytes] as const,
  ),
);

it.each(EACH)('reads values in %s as helm %s does', async (_name, version, bytes) => {
  const result = await templateInHelm(
    version,
    {
      'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'templates/a.yaml': VALUES_TEMPLATE,
    },
    ['-f', 'given.yaml'],
    { 'given.yaml': bytes },
  );
  let ours: string;
  try {
    ours = writeJson(readUserValues({ files: ['given.yaml'] }, () => decodeYamlText(bytes)));
  } catch (error) {
    const { cause = error } = error as Error;
    expect(cause).toBeInstanceOf(YamlError);
    // Helm adds the names of what it could not read; they differ between versions.
    const message = (cause as Error).message.replace(/^.*?(yaml: )/, '$1');
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain(message);
    return;
  }
  expect(result.stderr).not.toContain('Error');
  expect(ours).toBe(shownValues(result.stdout)['chart/templates']);
});
