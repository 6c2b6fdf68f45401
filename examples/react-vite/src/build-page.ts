import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";

/** Builds the page by Vite, and resolves to the folder that it is in. */
export async function buildPage(): Promise<string> {
	const outDir = await mkdtemp(join(tmpdir(), "reelmill-react-vite-"));
	const root = fileURLToPath(new URL("./page", import.meta.url));
	const plugins = [react()];
	// hls.js has 580 kB. It is loaded when a video is played.
	const chunkSizeWarningLimit = 600;
	await build({
		root,
		plugins,
		configFile: false,
		logLevel: "warn",
		build: { outDir, target: "es2022", emptyOutDir: true, chunkSizeWarningLimit },
	});
	return outDir;
}
