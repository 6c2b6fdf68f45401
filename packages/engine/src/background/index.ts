export { createBackoff } from "./backoff.ts";
export { createExpiry } from "./expiry.ts";
export { createFollowing } from "./following.ts";
export { createLoop, type Loop } from "./loop.ts";
export { createProveWritable, type ProveWritable } from "./prove-writable.ts";
export { createReaper, type Reaper } from "./reaper.ts";
export { createSweeper, type Sweeper } from "./sweeper.ts";
