export type { IssueToken, TokenSource } from "./internal-plane.ts";
export type { Sleep } from "./retry.ts";
export { createWorker, type Worker, type WorkerOptions } from "./worker.ts";
