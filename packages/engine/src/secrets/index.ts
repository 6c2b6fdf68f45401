export * from "./credentials.ts";
export * from "./derived-keys.ts";
export { masterKeyInForce } from "./master-keys.ts";
export type { ResealingState } from "./resealing.ts";
export * from "./seal.ts";
export { createSecrets, type Secrets } from "./secrets.ts";
export { createSigningKeys, type SigningKey, type SigningKeys } from "./signing-keys.ts";
export * from "./token-family.ts";
