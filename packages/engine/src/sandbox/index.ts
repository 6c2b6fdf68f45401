export { createSandboxPurge } from "./purge.ts";
export { createSandbox, type Sandbox, sandboxSlug } from "./sandbox.ts";
