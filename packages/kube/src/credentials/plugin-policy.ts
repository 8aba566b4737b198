import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, normalize } from 'node:path';
import { isPlainObject } from '../config/fields.ts';
import type { Plain, PlainObject } from '../config/kubeconfig.ts';
import { parseKubeconfigText } from '../config/parse.ts';
import { readSmallFile } from '../config/read-file.ts';
import { CodedError } from '../values/coded-error.ts';
import { type KubeFailures, kubeFailure } from '../values/failures.ts';
import { type Why, whyOf } from '../values/problems.ts';

const IS_WINDOWS = process.platform === 'win32';

type Env = Readonly<Record<string, string | undefined>>;

/** The home folder and the variables that locate a user's kubectl preferences. */
interface UserPaths {
  readonly env: Env;
  readonly homeDirectory: string;
}

/** Which plugins may run; undefined: all of them. */
interface PluginPolicy {
  readonly file: string;
  /** Names and paths; empty for `DenyAll`. */
  readonly allowed: readonly string[];
}

const API_VERSION = 'kubectl.config.k8s.io/v1beta1';
const API_VERSIONS = [API_VERSION, 'kubectl.config.k8s.io/v1alpha1'];

/**
 * Rejects a credential plugin that the user's kuberc does not allow
 * (https://kubernetes.io/docs/reference/kubectl/kuberc/#credential-plugin-policy). `file` is the program, as it would
 * start with `programEnv`. Returns the file to start, exactly the one that was checked. As with kubectl 1.35, an entry
 * is a path or a name that PATH resolves, links are not followed, and an invalid policy allows nothing. A kuberc at
 * home that is not YAML allows nothing either, while kubectl ignores it: otherwise a lost policy would go unnoticed.
 * @throws CodedError `exec-plugin-not-allowed`, `kuberc-invalid`
 */
export async function checkPluginPolicy(
  file: string,
  programEnv: Env,
  { env, homeDirectory }: UserPaths,
): Promise<string> {
  const policy = await readPolicy(env, homeDirectory);
  if (policy === undefined) return file;
  const found = await findProgram(file, programEnv);
  if (found !== undefined)
    for (const name of policy.allowed) if ((await findProgram(name, env)) === found) return found;
  const program = found ?? file;
  throw kubeFailure('exec-plugin-not-allowed', {
    program,
    file: policy.file,
    policy: policy.allowed.length === 0 ? 'DenyAll' : 'Allowlist',
  });
}

async function readPolicy(env: Env, homeDirectory: string): Promise<PluginPolicy | undefined> {
  // These disable kuberc for kubectl: https://kubernetes.io/docs/reference/kubectl/kuberc/#disable-kuberc
  if (env.KUBERC === 'off' || env.KUBECTL_KUBERC === 'false') return undefined;
  const isNamed = Boolean(env.KUBERC);
  const file = env.KUBERC || join(homeDirectory, '.kube', 'kuberc');
  const document = await readKuberc(file, isNamed);
  if (document === null && !isNamed) return undefined;
  if (!isPlainObject(document) || document.kind !== 'Preference')
    throw invalidKuberc(file, { code: 'not-a-preference', data: {} });
  const version = document.apiVersion;
  if (typeof version !== 'string' || !API_VERSIONS.includes(version))
    throw invalidKuberc(file, { code: 'other-kuberc-version', data: { expected: API_VERSION } });
  // The first version had no policy.
  return version === API_VERSION ? policyOf(document, file) : undefined;
}

/** Returns the parsed file; null if it is empty, or if it is missing and no variable names it. */
async function readKuberc(file: string, isNamed: boolean): Promise<Plain> {
  try {
    return await parseKubeconfigText(await readSmallFile(file), file);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && !isNamed) return null;
    throw invalidKuberc(file, isInvalidYaml(error) ? error.data.why : whyOf(error), error);
  }
}

function policyOf(document: PlainObject, file: string): PluginPolicy | undefined {
  const { credentialPluginPolicy: policy = '', credentialPluginAllowlist: list } = document;
  switch (policy ?? '') {
    case '':
    case 'AllowAll':
    case 'DenyAll':
      if (list !== undefined && list !== null)
        throw invalidKuberc(file, { code: 'allowlist-without-policy', data: {} });
      return policy === 'DenyAll' ? { file, allowed: [] } : undefined;
    case 'Allowlist':
      return { file, allowed: namesOf(list, file) };
    default:
      throw invalidKuberc(file, { code: 'bad-plugin-policy', data: {} });
  }
}

function namesOf(list: Plain | undefined, file: string): readonly string[] {
  const entries = Array.isArray(list) ? list : [];
  const names = entries.map((entry) => {
    // kubectl 1.36 calls the field `command`, and still accepts `name`.
    const { name, command = name } = isPlainObject(entry) ? entry : {};
    const isClear = typeof command === 'string' && command !== '' && normalize(command) === command;
    if (!isClear || (name !== undefined && name !== command))
      throw invalidKuberc(file, { code: 'allowlist-entry', data: {} });
    return command;
  });
  if (names.length === 0) throw invalidKuberc(file, { code: 'allowlist-empty', data: {} });
  return names;
}

/** Finds the program for a path or a name; undefined if none exists. */
async function findProgram(name: string, env: Env): Promise<string | undefined> {
  const endings = IS_WINDOWS
    ? ['', ...(variableOf(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';')]
    : [''];
  const folders = /[/\\]/.test(name)
    ? ['']
    : (variableOf(env, 'PATH') ?? '').split(delimiter).filter(isAbsolute);
  for (const folder of folders)
    for (const ending of endings) {
      const path = folder === '' ? name + ending : join(folder, name + ending);
      if (await isProgram(path)) return path;
    }
  return undefined;
}

/** Reads a variable. Windows writes `Path`, and a copy of its environment knows no other spelling. */
function variableOf(env: Env, name: string): string | undefined {
  if (!IS_WINDOWS) return env[name];
  const key = Object.keys(env).find((each) => each.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // An error that prevents checking the file also prevents starting it.
    return false;
  }
}

function invalidKuberc(file: string, why: Why, cause?: unknown): CodedError {
  return kubeFailure('kuberc-invalid', { file, why }, { cause });
}

/** Whether the parser, which kubeconfigs share, rejected the file. */
function isInvalidYaml(
  error: unknown,
): error is CodedError<'kubeconfig-invalid', KubeFailures['kubeconfig-invalid']> {
  return error instanceof CodedError && error.code === 'kubeconfig-invalid';
}
