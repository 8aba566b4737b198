/** A value and its origin, in the user's words. */
export interface Setting {
  /** Undefined for a flag that was given without its optional value. */
  readonly value: string | undefined;
  /** `--tail`, `LOGTOOL_TAIL`, `commands.logs.tail in /home/ada/.logtool/config.yaml`. */
  readonly written: string;
}
