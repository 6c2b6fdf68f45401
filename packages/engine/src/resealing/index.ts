export { createMasterKeys, masterKeyInForce } from "./master-keys.ts";
export { createResealing, type ResealingState } from "./resealing.ts";
