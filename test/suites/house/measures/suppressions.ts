const COMMENT = /\bbiome-ignore(?:-all|-start)?[ \t]+([^:\n]+)/g;
/** The rules that this folder relies on, and the groups that hold them. */
const MEASURES = /^lint(?:\/\w+(?:\/noExcessive\w+)?)?$/;
/** Groups without those measures may be suppressed as a whole. */
const OTHER_GROUP = /^lint\/(?!complexity$|nursery$|style$)\w+$/;

/**
 * Returns the offsets of comments that suppress a rule of complexity or length, directly or through its
 * group.
 */
export function suppressedMeasures(text: string): readonly number[] {
  return [...text.matchAll(COMMENT)]
    .filter(([, rules = '']) =>
      rules.split(/\s+/).some((rule) => MEASURES.test(rule) && !OTHER_GROUP.test(rule)),
    )
    .map(({ index }) => index);
}
