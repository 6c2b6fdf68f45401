export { createCalmLogger } from "./calm-logger.ts";
export { systemClock } from "./clock.ts";
export { systemRandom } from "./random.ts";
