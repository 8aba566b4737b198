import type { OtherRelease, TakenObject, UnmarkedObject, WrongMark } from '@logtool/helm/src/failures.ts';

/** Formats `release shop in namespace prod`. */
export function ownerText({ name, namespace }: OtherRelease): string {
  const release = name === undefined ? 'another release' : `release ${name}`;
  return namespace === undefined ? release : `${release} in namespace ${namespace}`;
}

/** Lists the labels and annotations that Helm needs to recognize an object as the release's. */
export function marksText(marks: readonly WrongMark[]): string {
  return marks
    .map(({ kind, key, wanted, actual }) => {
      const found = actual === undefined ? 'is missing' : `is ${JSON.stringify(actual)}`;
      return `the ${kind} ${key} must be ${JSON.stringify(wanted)}, but ${found}`;
    })
    .join('; ');
}

export function unmarkedText({ object, marks }: UnmarkedObject): string {
  return `${object}: ${marksText(marks)}`;
}

export function takenText({ object, owner, hook: { name, path, events } }: TakenObject): string {
  return `${object} belongs to ${ownerText(owner)}; the ${events.join(',')} hook ${name} (${path}) has the same name`;
}
