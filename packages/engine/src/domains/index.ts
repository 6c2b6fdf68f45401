export { createDomains, type Domains, resolveConfig } from "./domains.ts";
