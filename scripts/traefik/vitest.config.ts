import { defineConfig } from "vitest/config";
import { root } from "../setup/paths.mjs";

/** What is tried behind Traefik. No other run has it: neither Debian nor npm has Traefik. */
export default defineConfig({
	root,
	test: {
		include: ["scripts/traefik/behind-traefik.ts"],
		globalSetup: "./scripts/test/database.ts",
		testTimeout: 300_000,
		hookTimeout: 300_000,
		expect: { poll: { timeout: 120_000 } },
	},
});
