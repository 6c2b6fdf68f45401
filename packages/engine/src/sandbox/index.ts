export { createSandboxPurge } from "./purge.ts";
export { createSandboxRefusals } from "./refusals.ts";
export { createSandbox, type Sandbox, sandboxSlug } from "./sandbox.ts";
