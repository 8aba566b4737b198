/** What a sheet does with classes. */
export interface ClassStyles {
  /** Classes that it styles wherever they are: nothing else of the page is in the selector. */
  readonly everywhere: ReadonlySet<string>;
  /** All classes in its selectors. */
  readonly named: ReadonlySet<string>;
}

const CLASS = /\.(-?[A-Za-z_][\w-]*)/g;

/** The classes in a sheet. `.row:hover` styles rows everywhere; `.row .time` and `.row.open` style them in one place. */
export function stylesIn(css: string): ClassStyles {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@(?:import|charset)[^;]*;/g, '');
  const everywhere = new Set<string>();
  const named = new Set<string>();
  for (const [, head = ''] of rules.matchAll(/([^{};]+)\{/g)) {
    if (head.trim().startsWith('@')) continue;
    for (const selector of head.split(/,(?![^(]*\))/)) {
      const classes = [...selector.matchAll(CLASS)].map(([, name = '']) => name);
      for (const name of classes) named.add(name);
      if (classes.length === 1 && !/[\s>+~]/.test(selector.trim())) everywhere.add(classes[0] ?? '');
    }
  }
  return { everywhere, named };
}
