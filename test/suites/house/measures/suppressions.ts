const COMMENT = /\bbiome-ignore(?:-all|-start)?[ \t]+([^:\n]+)/g;
/** The rules that this folder relies on, and the groups that hold them. */
const MEASURES = /^lint(?:\/\w+(?:\/noExcessive\w+)?)?$/;
/** A group of rules without those measures may be silenced as a whole. */
const OTHER_GROUP = /^lint\/(?!complexity$|nursery$|style$)\w+$/;

/** Offsets of comments that silence a rule of complexity or length, by itself or with its group. */
export function suppressedMeasures(text: string): readonly number[] {
  return [...text.matchAll(COMMENT)]
    .filter(([, rules = '']) =>
      rules.split(/\s+/).some((rule) => MEASURES.test(rule) && !OTHER_GROUP.test(rule)),
    )
    .map(({ index }) => index);
}
