export { deleteInBatches } from "./batches.ts";
export { createRetention } from "./retention.ts";
