import type { ConfigFormat } from './config-format.ts';
import { CONFIG_KEYS, type ConfigKey } from './keys.ts';

/**
 * Renders a configuration file with every key and its default; with explanations, if the format has comments.
 */
export function renderConfig(format: ConfigFormat): string {
  switch (format) {
    case 'yaml':
      return renderYaml();
    case 'toml':
      return renderToml();
    case 'json':
      return renderJson();
  }
}

/** Flow style for lists and JSON strings for texts are valid YAML, so no library is needed to write it. */
function renderYaml(): string {
  const lines = ['# Configuration of logtool. Flags and LOGTOOL_ variables win over this file.'];
  let open: readonly string[] = [];
  for (const key of CONFIG_KEYS) {
    const sections = key.path.split('.');
    const name = sections.pop() ?? '';
    for (const [depth, section] of sections.entries()) {
      if (open[depth] === section && depth < open.length) continue;
      if (depth === 0) lines.push('');
      lines.push(`${indent(depth)}${section}:`);
      open = sections.slice(0, depth + 1);
    }
    const at = indent(sections.length);
    lines.push(`${at}# ${key.doc}`, `${at}${name}: ${yamlValue(key)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** A word or a path that YAML reads as this text without quotes, and neither as `true` nor as a number. */
const PLAIN = /^(?!(?:true|false|null)$)[a-z/][\w./-]*(?::[\w./-]+)*$/i;

function yamlValue({ default: value }: ConfigKey): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'string' && !PLAIN.test(value) ? JSON.stringify(value) : String(value);
}

function tomlValue({ default: value }: ConfigKey): string {
  return Array.isArray(value) ? `[${value.map(quoted).join(', ')}]` : JSON.stringify(value);
}

const quoted = (text: string) => JSON.stringify(text);

function renderToml(): string {
  const lines = ['# Configuration of logtool. Flags and LOGTOOL_ variables win over this file.'];
  let table = '';
  for (const key of CONFIG_KEYS) {
    const dot = key.path.lastIndexOf('.');
    const section = dot < 0 ? '' : key.path.slice(0, dot);
    if (section !== table) lines.push('', `[${section}]`);
    table = section;
    lines.push(`# ${key.doc}`, `${key.path.slice(dot + 1)} = ${tomlValue(key)}`);
  }
  return `${lines.join('\n')}\n`;
}

interface Section {
  [name: string]: Section | ConfigKey['default'];
}

function renderJson(): string {
  const root: Section = {};
  for (const key of CONFIG_KEYS) {
    const sections = key.path.split('.');
    const name = sections.pop() ?? '';
    let section = root;
    for (const each of sections) {
      section[each] ??= {};
      section = section[each] as Section;
    }
    section[name] = key.default;
  }
  return `${JSON.stringify(root, null, 2)}\n`;
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}
