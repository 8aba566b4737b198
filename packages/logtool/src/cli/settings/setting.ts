/** A value and where it came from, in the words of the person who gave it. */
export interface Setting {
  /** Undefined for a flag that was given without its optional value. */
  readonly value: string | undefined;
  /** `--tail`, `LOGTOOL_TAIL`, `commands.logs.tail in /home/ada/.logtool/config.yaml`. */
  readonly written: string;
}
