/** `1 line`, `1,204 lines`. `noun`: in the singular; its plural ends with `s`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
