import type { Clock } from '@logtool/kube/src/values/clock.ts';
import {
  choiceNeeded,
  containerNotValid,
  podNotFound,
  previousNotFound,
  runNotFound,
} from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import { type RunFiles, runsIn } from '../../backend/run-files.ts';
import { limited, runLines } from '../../backend/run-lines.ts';
import { LocalFolder } from '../files/local-folder.ts';
import { type PodFolder, podFolders } from '../files/pod-folders.ts';
import { followRun } from '../follow/follow-run.ts';
import type { StampIndex } from '../index/stamp-index.ts';
import type { ScanSlots } from '../search/scan-slots.ts';
import type { LogOptions } from './log-options.ts';
import { textLines } from './text-lines.ts';

/** Where logs are, and what reading them needs. */
export interface LogReading {
  /** The folder in which the kubelet keeps logs: `/var/log/pods`. */
  readonly root: string;
  readonly clock: Clock;
  /** What is known of the times in files. */
  readonly stamps: StampIndex;
  /** What searches and counts take, one each. */
  readonly scans: ScanSlots;
  /** Bytes of text after which each search and count ends, whatever it asks for; undefined: no limit. */
  readonly maxScanBytes?: number | undefined;
  readonly signal: AbortSignal;
  /** Called if the system does not report changes of a folder that is followed: new lines are then found later. */
  readonly onUnwatched: (error: unknown) => void;
}

export interface PodName {
  readonly namespace: string;
  readonly pod: string;
}

type Refused = { readonly status: Status };

/** As the hash of a static pod's definition is written; its UID in the API is another one (kubelet, config.mirror). */
const STATIC_UID = /^[0-9a-f]{32}$/;

/**
 * Opens the log of one run of a container, over all files that the node has of it, as text like that of the log API.
 * Whether the caller may read it is decided before. Throws, and so does the body, what the folder throws.
 */
export async function openPodLog(
  asked: PodName,
  options: LogOptions,
  reading: LogReading,
): Promise<{ readonly body: AsyncIterable<Uint8Array> } | Refused> {
  const found = await findContainer(asked, options, reading);
  if ('status' in found) return found;
  const { folder, container, runs } = found;
  const run = chooseRun(runs, options, container, asked.pod);
  if ('status' in run) return run;
  const files = await folder.filesOf(run.number);
  if (files === undefined) return { status: runNotFound(run.number, container, asked.pod) };
  const lines = await linesOf(folder, files, options, reading);
  const { timestamps, since, limitBytes } = options;
  return { body: limited(textLines(lines, { timestamps, since }), limitBytes) };
}

/** The folder of a container, and the runs of which it has files. */
export interface FoundContainer {
  readonly folder: LocalFolder;
  readonly container: string;
  readonly runs: readonly number[];
}

/** Finds the folder of the container that a request means. Throws what the folder throws. */
export async function findContainer(
  asked: PodName,
  { uid, container: wanted }: Pick<LogOptions, 'uid' | 'container'>,
  { root, signal }: Pick<LogReading, 'root' | 'signal'>,
): Promise<FoundContainer | Refused> {
  const folders = await podFolders(root, asked, signal);
  const podFolder = chooseFolder(folders, asked.pod, uid);
  if ('status' in podFolder) return podFolder;
  const containers = await new LocalFolder(root, [podFolder.name], signal).names('folders');
  const chosen = chooseContainer(containers ?? [], asked.pod, wanted);
  if ('status' in chosen) return chosen;
  const folder = new LocalFolder(root, [podFolder.name, chosen.container], signal);
  return { folder, container: chosen.container, runs: runsIn((await folder.names()) ?? []) };
}

async function linesOf(
  folder: LocalFolder,
  files: RunFiles,
  { follow, tailLines, since: sinceTime, stream }: LogOptions,
  reading: LogReading,
): Promise<AsyncIterable<Uint8Array>> {
  const query = { tailLines, sinceTime, stream };
  if (follow) return followRun(folder, files.run, query, reading);
  return runLines(folder, files, query, { ...reading, hasNewest: true });
}

function chooseFolder(folders: readonly PodFolder[], pod: string, uid: string): PodFolder | Refused {
  const statics = folders.filter((folder) => STATIC_UID.test(folder.uid));
  const own = folders.filter((folder) => folder.uid === uid);
  const wanted = uid === '' ? folders : own.length > 0 ? own : statics;
  const [only, another] = wanted;
  if (only === undefined) return { status: podNotFound(pod) };
  if (another === undefined) return only;
  const uids = wanted.map((folder) => folder.uid).sort();
  return { status: choiceNeeded('uid', pod, uids) };
}

function chooseContainer(
  names: readonly string[],
  pod: string,
  asked: string,
): { readonly container: string } | Refused {
  if (asked !== '') {
    return names.includes(asked) ? { container: asked } : { status: containerNotValid(asked, pod) };
  }
  const [only, another] = names;
  if (only === undefined) return { status: podNotFound(pod) };
  if (another === undefined) return { container: only };
  return { status: choiceNeeded('container', pod, [...names].sort()) };
}

/** Chooses the requested run, else the last one, or the one before it. */
export function chooseRun(
  runs: readonly number[],
  { run, previous }: Pick<LogOptions, 'run' | 'previous'>,
  container: string,
  pod: string,
): { readonly number: number } | Refused {
  const last = runs.at(-1);
  if (previous) {
    const before = last === undefined ? undefined : last - 1;
    const isKept = before !== undefined && runs.includes(before);
    return isKept ? { number: before } : { status: previousNotFound(container, pod) };
  }
  const wanted = run ?? last;
  const isKept = wanted !== undefined && runs.includes(wanted);
  return isKept ? { number: wanted } : { status: runNotFound(wanted, container, pod) };
}
