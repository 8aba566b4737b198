/** Characters for a list in a request body, which may have 256 KB. */
const LIST_CHARS = 180_000;

/** Returns the leading items that fit. */
export function fitting<T>(list: readonly T[]): T[] {
  let chars = 0;
  return list.filter((each) => {
    chars += JSON.stringify(each).length + 1;
    return chars <= LIST_CHARS;
  });
}
