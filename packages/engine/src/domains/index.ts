export { createDomains, type Domains } from "./domains.ts";
export { createRotations, type Rotations } from "./rotation.ts";
export { type DomainRow, domainColumns, resolveConfig, viewDomain } from "./view.ts";
