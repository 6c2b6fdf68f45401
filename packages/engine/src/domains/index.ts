export { noOutput } from "./config-update.ts";
export { createDomains, type Domains } from "./domains.ts";
export { type DomainRow, domainColumns, resolveConfig, viewDomain } from "./view.ts";
