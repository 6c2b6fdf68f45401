import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the page into `dist/page`: files with hashes and no inline script or style, so that a strict CSP takes it. */
export default defineConfig({
	base: "/console/",
	plugins: [react()],
	build: {
		outDir: "dist/page",
		target: "es2022",
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		manifest: "manifest.json",
	},
});
