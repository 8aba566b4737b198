import { posix } from 'node:path';
import { argumentsOf, type Instruction } from './parse-dockerfile.ts';

/** The settings for starting a container of a stage. */
export interface StageSettings {
  workdir: string;
  user: string;
  readonly env: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly arguments: Record<string, string>;
  entrypoint: readonly string[];
  command: readonly string[];
  ports: readonly string[];
}

export function newSettings(): StageSettings {
  const lists = { entrypoint: [], command: [], ports: [] };
  return { workdir: '/', user: '', env: {}, labels: {}, arguments: {}, ...lists };
}

/** Applies an instruction that changes settings. Returns false for one that changes files, such as RUN and COPY. */
export function applySetting(
  { name, text }: Instruction,
  settings: StageSettings,
  buildArguments: Readonly<Record<string, string>>,
): boolean {
  switch (name) {
    case 'WORKDIR':
      settings.workdir = posix.resolve(settings.workdir, text);
      return true;
    case 'ARG':
      Object.assign(settings.arguments, argument(text, buildArguments));
      return true;
    case 'ENV':
      Object.assign(settings.env, pairsOf(text, settings));
      return true;
    case 'LABEL':
      Object.assign(settings.labels, pairsOf(text, settings));
      return true;
    case 'USER':
      settings.user = text;
      return true;
    case 'EXPOSE':
      settings.ports = argumentsOf(text);
      return true;
    case 'ENTRYPOINT':
      settings.entrypoint = JSON.parse(text) as string[];
      return true;
    case 'CMD':
      settings.command = JSON.parse(text) as string[];
      return true;
    default:
      return false;
  }
}

function argument(text: string, given: Readonly<Record<string, string>>): Record<string, string> {
  const [name = '', preset = ''] = text.split('=');
  return { [name]: given[name] ?? preset };
}

function pairsOf(text: string, settings: StageSettings): Record<string, string> {
  const pairs = argumentsOf(text).map((pair): [string, string] => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new Error(`${pair} is not KEY=VALUE`);
    const value = pair.slice(equals + 1).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = settings.arguments[name] ?? settings.env[name];
      if (found === undefined) throw new Error(`\${${name}} is not set`);
      return found;
    });
    return [pair.slice(0, equals), value];
  });
  return Object.fromEntries(pairs);
}
