/** A value and its origin, as the user wrote them. */
export interface Setting {
  /** Undefined for a flag without its optional value. */
  readonly value: string | undefined;
  /** `--tail`, `LOGTOOL_TAIL`, `commands.logs.tail in /home/ada/.logtool/config.yaml`. */
  readonly written: string;
}
