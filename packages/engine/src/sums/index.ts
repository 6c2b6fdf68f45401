export { keepSums, largestSums, sumOfOutput } from "./keep-sums.ts";
export { readSums } from "./read-sums.ts";
export { summing, sumOf } from "./summing.ts";
