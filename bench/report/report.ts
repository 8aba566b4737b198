import { HEAD, type Outcome, tableRows } from './table.ts';

export interface ReportFacts {
  readonly rounds: number;
  /** Sentences about the cluster. */
  readonly cluster: string;
  /** Sentences about the machine and the sizes of the programs. */
  readonly machine: readonly string[];
}

/** Returns the whole text of bench/results.md. */
export function report({ rounds, cluster, machine }: ReportFacts, outcomes: readonly Outcome[]): string {
  return [
    '# logtool against kubectl and helm',
    '',
    `Medians of ${rounds} rounds, the programs in turn on the same server, from start to exit. ${cluster}`,
    '',
    ...machine.map((sentence) => `- ${sentence}`),
    '',
    'Cells say `logtool / peer = ratio (goal)`: a ratio below 1 is less time than the peer takes. CPU time is user and',
    'system of all processes, of the pipe to grep too. What programs print goes to /dev/null, and of a search to a file;',
    'a run before the rounds compares the outputs: every byte; or the time and message of every record, and that they',
    'come in the order of time; or, beside helm, every object that is rendered and every release that is listed, however',
    'they are written; **wrong output** says that they differ. The goals for a search are 0.8 and 0.5 of the speed of',
    'grep, which are 1.25 and 2 times its time; one for the last ten matches reads nearly all of 160 MB for them.',
    'Following is measured once: memory and CPU time of a program whose output goes to a file while lines of 150 bytes',
    'come from ten containers, and for the latency from the stamp that the runtime gives a line until it comes out of a',
    'pipe. Goals of memory are in MiB.',
    '',
    ...HEAD,
    ...outcomes.flatMap(tableRows),
    '',
  ].join('\n');
}
