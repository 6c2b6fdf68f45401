export { createSandbox, type Sandbox, sandboxSlug } from "./sandbox.ts";
