export { createAfterChanges } from "./after-change.ts";
export { type Background, createBackground } from "./background.ts";
export { createBackoff } from "./backoff.ts";
export { createBoundedWait } from "./bounded-wait.ts";
export { createEngineClock, createMeasuring, type EngineClock } from "./engine-clock.ts";
export { createLoop, type Loop } from "./loop.ts";
export { createProveWritable, type ProveWritable } from "./prove-writable.ts";
export { createReaper, type Reaper } from "./reaper.ts";
export type { Chores } from "./sweeper.ts";
