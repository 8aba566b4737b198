import { type Fields, readStruct } from '../chart/read-struct.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { readYamlMap } from '../yaml/read-yaml.ts';
import { writeYaml } from '../yaml/write/write-yaml.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import type { RepositoryEntry } from './entry.ts';
import { invalidFile } from './errors.ts';

const TEXT_FIELD = { kind: 'text' } as const;
const BOOLEAN_FIELD = { kind: 'boolean' } as const;

const ENTRY: Fields = {
  name: TEXT_FIELD,
  url: TEXT_FIELD,
  username: TEXT_FIELD,
  password: TEXT_FIELD,
  certFile: TEXT_FIELD,
  keyFile: TEXT_FIELD,
  caFile: TEXT_FIELD,
  insecure_skip_tls_verify: BOOLEAN_FIELD,
  pass_credentials_all: BOOLEAN_FIELD,
};
const FILE: Fields = { repositories: { kind: 'list', of: { kind: 'struct', fields: ENTRY } } };

/** An entry with all fields unset. */
export const NO_ENTRY: RepositoryEntry = {
  name: '',
  url: '',
  username: '',
  password: '',
  certFile: '',
  keyFile: '',
  caFile: '',
  insecure_skip_tls_verify: false,
  pass_credentials_all: false,
};

/** repositories.yaml: the part that Helm reads, and the whole, including unknown fields. */
export interface RepositoriesFile {
  readonly entries: readonly RepositoryEntry[];
  readonly root: ValueMap;
}

/**
 * Parses repositories.yaml; an empty text, or a missing file, has no repositories.
 * @throws CodedError `repositories-file-invalid`
 */
export function parseRepositories(text: string, path: string): RepositoriesFile {
  try {
    const { repositories = [] } = readStruct(text, 'repo.File', FILE) as {
      repositories?: (Partial<RepositoryEntry> | null)[];
    };
    const root = readYamlMap(text);
    const entries = repositories.flatMap((entry) => (entry === null ? [] : [{ ...NO_ENTRY, ...entry }]));
    return { entries, root };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalidFile(path, error.message, error);
  }
}

/**
 * Returns the text of the file with this repository added, or replaced if the name exists; keeps fields unknown to
 * Helm.
 */
export function withRepository({ root }: RepositoriesFile, entry: RepositoryEntry): string {
  const list = listOf(root);
  const at = list.findIndex((one) => nameOf(one) === entry.name);
  const before = list[at];
  const changed: ValueMap = new Map(before instanceof Map ? before : []);
  for (const key of [...changed.keys()]) {
    // Go accepts `URL` for `url`, so a second spelling would take effect.
    if (Object.keys(ENTRY).some((name) => name.toLowerCase() === key.toLowerCase())) changed.delete(key);
  }
  for (const [name, value] of Object.entries(entry)) changed.set(name, value as Value);
  return written(root, at < 0 ? [...list, changed] : list.with(at, changed));
}

/** Returns the text of the file without the repositories of this name. */
export function withoutRepository({ root }: RepositoriesFile, name: string): string {
  return written(
    root,
    listOf(root).filter((one) => one !== null && nameOf(one) !== name),
  );
}

/** Writes the file like Helm, which starts a new file without a version and a time. */
function written(root: ValueMap, list: Value[]): string {
  const start: [string, Value][] = [
    ['apiVersion', ''],
    ['generated', '0001-01-01T00:00:00Z'],
  ];
  const others = [...root].filter(([key]) => key.toLowerCase() !== 'repositories');
  return writeYaml(new Map([...start, ...others, ['repositories', list]]));
}

function listOf(root: ValueMap): Value[] {
  const key = keyOf(root, 'repositories');
  const list = key === undefined ? undefined : root.get(key);
  return Array.isArray(list) ? list : [];
}

function nameOf(entry: Value): string | undefined {
  if (!(entry instanceof Map)) return undefined;
  const key = keyOf(entry, 'name');
  const name = key === undefined ? undefined : entry.get(key);
  // YAML reads a name such as 1234 as a number, Helm as a text.
  return name === undefined ? '' : String(name ?? '');
}

/** Ignores case; of several spellings the last in sort order wins, as for the reader. */
function keyOf(map: ValueMap, name: string): string | undefined {
  return [...map.keys()]
    .sort()
    .filter((key) => key.toLowerCase() === name)
    .at(-1);
}
