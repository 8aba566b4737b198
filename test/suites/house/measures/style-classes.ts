/** How a sheet uses classes. */
export interface ClassStyles {
  /** Classes that it styles everywhere: the selector contains nothing else of the page. */
  readonly everywhere: ReadonlySet<string>;
  /** All classes in its selectors. */
  readonly named: ReadonlySet<string>;
}

const CLASS = /\.(-?[A-Za-z_][\w-]*)/g;

/**
 * Returns the classes in a sheet. `.row:hover` styles rows everywhere; `.row .time` and `.row.open` style
 * them in one place.
 */
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
