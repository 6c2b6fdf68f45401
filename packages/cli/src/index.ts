export { runCli } from "./cli.ts";
export { Interrupted } from "./failure.ts";
export type { CliIo, Input, Output } from "./io.ts";
