export { runCli } from "./cli.ts";
export { Interrupted } from "./failure.ts";
export type { CliIo, Output } from "./io.ts";
