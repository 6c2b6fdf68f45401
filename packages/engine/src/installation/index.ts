export { hasTable } from "./has-table.ts";
export { createInstallation, type Installation } from "./installation.ts";
export { InstallationError, isInstallationError, type Mismatch } from "./installation-error.ts";
