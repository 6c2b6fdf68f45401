export { type Belonging, createBelonging } from "./belonging.ts";
export { guardStores } from "./guarded-stores.ts";
export { hasTable } from "./has-table.ts";
export { InstallationError, isInstallationError, type Mismatch } from "./installation-error.ts";
export { checkSchema, noting } from "./schema.ts";
