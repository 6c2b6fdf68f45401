export { systemClock } from "./clock.ts";
export { systemRandom } from "./random.ts";
