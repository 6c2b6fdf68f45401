import { defineConfig } from "vitest/config";
import { root } from "../setup/paths.mjs";

/** The tests behind Traefik, which `npm test` leaves out: Debian has no Traefik. */
export default defineConfig({
	root,
	test: {
		include: ["scripts/traefik/behind-traefik.ts"],
		globalSetup: "./scripts/test/database.ts",
		testTimeout: 120_000,
		hookTimeout: 180_000,
		expect: { poll: { timeout: 60_000 } },
	},
});
