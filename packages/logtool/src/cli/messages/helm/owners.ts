import type { OtherRelease, TakenObject, UnmarkedObject, WrongMark } from '@logtool/helm/src/failures.ts';

/** `release shop in namespace prod` */
export function ownerText({ name, namespace }: OtherRelease): string {
  const release = name === undefined ? 'another release' : `release ${name}`;
  return namespace === undefined ? release : `${release} in namespace ${namespace}`;
}

/** What an object would have to be marked with, as Helm has it. */
export function marksText(marks: readonly WrongMark[]): string {
  return marks
    .map(({ kind, key, wanted, actual }) => {
      const found = actual === undefined ? 'it has none' : `it is ${JSON.stringify(actual)}`;
      return `the ${kind} ${key} would have to be ${JSON.stringify(wanted)}, ${found}`;
    })
    .join('; ');
}

export function unmarkedText({ object, marks }: UnmarkedObject): string {
  return `${object}: ${marksText(marks)}`;
}

export function takenText({ object, owner, hook: { name, path, events } }: TakenObject): string {
  return `${object} belongs to ${ownerText(owner)}; it has the name of the ${events.join(',')} hook ${name} (${path})`;
}
