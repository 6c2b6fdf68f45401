export { createSandbox, type Sandbox, type SandboxNoun, sandboxSlug } from "./sandbox.ts";
