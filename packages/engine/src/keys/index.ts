export { createKeys, type Keys, type MintedKey, type TenantPrincipal } from "./keys.ts";
