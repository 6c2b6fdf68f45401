export { maxAttempts, maxFruitlessLosses, maxLosses, maxWorkerFaults } from "./attempts/give-back.ts";
export { chooseSpeed, type SpeedSetting } from "./claims/speed.ts";
export type { HeartbeatInput, Jobs } from "./job-operations.ts";
export { createJobs, type JobsNoun } from "./jobs.ts";
export { mezzanine, plannedFiles } from "./outputs/outputs.ts";
export { createStoreArchive } from "./outputs/store-archive.ts";
export type { JobSource } from "./sources/job-source.ts";
export { wasSeen } from "./workers/note-worker.ts";
