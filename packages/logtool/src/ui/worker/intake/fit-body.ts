/** Room for a list in the body of a request, which may have 256 KB. */
const LIST_CHARS = 180_000;

/** As many as fit. */
export function fitting<T>(list: readonly T[]): T[] {
  let chars = 0;
  return list.filter((each) => {
    chars += JSON.stringify(each).length + 1;
    return chars <= LIST_CHARS;
  });
}
