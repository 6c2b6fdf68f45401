export { maxAttempts, maxFruitlessLosses, maxLosses } from "./give-back.ts";
export type { HeartbeatInput, Jobs } from "./job-operations.ts";
export type { JobSource } from "./job-source.ts";
export { createJobs, type JobsNoun } from "./jobs.ts";
export { mezzanine, plannedFiles } from "./outputs.ts";
export { chooseSpeed, type SpeedSetting } from "./speed.ts";
