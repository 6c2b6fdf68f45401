export { createKeys, type Keys, type MintedKey, type Scope, type TenantPrincipal } from "./keys.ts";
