/** The parts of a source argument: `shop:deployments/web/app`. */
interface Argument {
  /** `shop:deployments/web`; the name itself for a pod without a kind. */
  readonly workload: string;
  /** `app`, `*`; undefined: the default container of each pod. */
  readonly container: string | undefined;
}

/**
 * Returns the arguments plus one more container of an argument's workload: `shop:deployments/web/metrics`.
 */
export function addContainer(
  args: readonly string[],
  argument: string,
  container: string,
): readonly string[] {
  return [...new Set([...args, `${takeApart(argument).workload}/${container}`])];
}

/** Whether every argument selects all containers. */
export function hasAllContainers(args: readonly string[]): boolean {
  return args.length > 0 && args.every((argument) => takeApart(argument).container === '*');
}

/** Returns the arguments with all containers, or with the default ones. */
export function switchAllContainers(args: readonly string[], isAll: boolean): readonly string[] {
  return [
    ...new Set(
      args.map((argument) => {
        const { workload } = takeApart(argument);
        return isAll ? `${workload}/*` : workload;
      }),
    ),
  ];
}

/** Returns `shop:deployments/web` for `shop:deployments/web/app`. */
export function withoutContainer(argument: string): string {
  return argument === '' ? '' : takeApart(argument).workload;
}

function takeApart(argument: string): Argument {
  const colon = argument.indexOf(':') + 1;
  const namespace = argument.slice(0, colon);
  const [first = '', name, container] = argument.slice(colon).split('/');
  const workload = name === undefined ? `${namespace}pods/${first}` : `${namespace}${first}/${name}`;
  return { workload, container };
}
