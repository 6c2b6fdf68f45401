export type { EndsAfter, WorkerEnd } from "./bounds.ts";
export { type EndedJob, jobOutcomes } from "./job/ended-job.ts";
export type { Sleep } from "./retry.ts";
export type { IssueToken, TokenSource } from "./service-client/tokens.ts";
export { createWorker, type Worker, type WorkerStatus } from "./worker.ts";
export type { WorkerOptions } from "./worker-options.ts";
