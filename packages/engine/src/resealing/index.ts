export { createMasterKeys } from "./master-keys.ts";
export { createResealing, type ResealingState } from "./resealing.ts";
