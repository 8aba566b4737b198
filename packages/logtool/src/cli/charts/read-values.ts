import { shownAddress } from '@logtool/helm/src/repository/entry.ts';
import { fetchValues, isAddress, VALUES_LIMIT_BYTES } from '@logtool/helm/src/repository/fetch-values.ts';
import type { ValueMap } from '@logtool/helm/src/value/value.ts';
import { readUserValues } from '@logtool/helm/src/values/user-values.ts';
import { decodeYamlText } from '@logtool/helm/src/yaml/decode-text.ts';
import { FileUnreadable, readSmallFile, whyUnreadable } from '@logtool/kube/src/config/read-file.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyText } from '../../messages/problems.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import { usageFailure } from '../messages/errors.ts';
import { helmWorded } from '../messages/helm.ts';
import type { ValuesPlan } from '../plan/cluster/cluster-plans.ts';
import { readStandardInput } from './read-standard-input.ts';

/** Far more than a release can hold: stops reading a device or a log given by mistake. */
const FILE_LIMIT_BYTES = 20 * 1024 * 1024;

/**
 * Reads the user's values: of files, then of --set-json, --set and --set-string. Returns undefined if none
 * are given; an upgrade then keeps the previous ones.
 */
export async function readValues(context: CliContext, plan: ValuesPlan): Promise<ValueMap | undefined> {
  if (plan.files.length === 0 && plan.sets.length === 0) return undefined;
  const texts = new Map<string, string>();
  for (const path of plan.files) {
    // Standard input can be read only once.
    if (!texts.has(path)) texts.set(path, await readText(context, path));
  }
  return readUserValues({ files: plan.files, ...setTexts(plan) }, (path) => texts.get(path) ?? '');
}

/** Returns the texts of --set-json, --set and --set-string. */
export function setTexts({ sets }: ValuesPlan) {
  const of = (kind: string) => sets.filter((set) => set.kind === kind).map(({ text }) => text);
  return { json: of('set-json'), typed: of('set'), strings: of('set-string') };
}

async function readText(context: CliContext, path: string): Promise<string> {
  try {
    return decodeYamlText(await readBytes(context, path));
  } catch (error) {
    if (context.signal.aborted) throw error;
    const file = isAddress(path) ? shownAddress(path) : path;
    const isDownloaded = error instanceof CodedError;
    const data = { file, why: isDownloaded ? helmWorded(error).why : reasonOf(error), isDownloaded };
    throw usageFailure('values-file-unreadable', data, error);
  }
}

async function readBytes(context: CliContext, path: string): Promise<Uint8Array> {
  // Standard input has no other name on every system.
  if (path.trim() === '-') return readStandardInput(VALUES_LIMIT_BYTES);
  if (!isAddress(path)) return readSmallFile(expandPath(path, context), FILE_LIMIT_BYTES);
  const { env, clock, signal, version } = context;
  return fetchValues(path, { env, clock, signal, userAgent: `logtool/${version}` });
}

function reasonOf(error: unknown): string {
  return whyText(error instanceof FileUnreadable ? error.problem : whyUnreadable(error));
}
