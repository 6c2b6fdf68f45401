import { defineConfig } from "vitest/config";
import { root } from "../../setup/paths.mjs";

/** What is tried on Workers. No other run has it: the runtime is large. */
export default defineConfig({
	root,
	test: {
		include: ["scripts/runtimes/workers/edge-on-workers.ts"],
		testTimeout: 300_000,
		hookTimeout: 300_000,
	},
});
