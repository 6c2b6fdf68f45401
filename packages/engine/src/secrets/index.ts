export * from "./credentials.ts";
export * from "./derived-keys.ts";
export * from "./seal.ts";
export * from "./token-family.ts";
