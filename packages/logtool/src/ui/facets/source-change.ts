/** A source argument taken apart: `shop:deployments/web/app`. */
interface Argument {
  /** `shop:deployments/web`; a pod that was named without its kind has it here. */
  readonly workload: string;
  /** `app`, `*`; undefined: the default container of each pod. */
  readonly container: string | undefined;
}

/** The arguments with one container more of what one of them means: `shop:deployments/web/metrics`. */
export function addContainer(
  args: readonly string[],
  argument: string,
  container: string,
): readonly string[] {
  return [...new Set([...args, `${takeApart(argument).workload}/${container}`])];
}

/** Whether every argument means all containers. */
export function hasAllContainers(args: readonly string[]): boolean {
  return args.length > 0 && args.every((argument) => takeApart(argument).container === '*');
}

/** The arguments with all containers of what they mean, or with the default ones. */
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

/** `shop:deployments/web` of `shop:deployments/web/app`. */
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
