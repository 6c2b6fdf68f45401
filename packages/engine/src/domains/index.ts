export { createDomains, type Domains, resolveConfig } from "./domains.ts";
export { createRotations, type Rotations } from "./rotation.ts";
