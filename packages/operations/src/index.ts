export { createConfinementMetrics } from "./confinement-metrics.ts";
export { createDiskMetrics } from "./disk-metrics.ts";
export { createOperationsListener, type OperationsListenerOptions, type Ready } from "./operations-listener.ts";
export { createWorkerMetrics, type EndedJob, type WorkerMetrics, type WorkerStatus } from "./worker-metrics.ts";
export { findWorkerPrograms, type WorkerPrograms, type WorkerProgramsOptions } from "./worker-programs.ts";
