import { defineConfig } from "vite";

/**
 * Builds the API reference into `dist/page-reference`: a document, and hashed files without inline script. A server
 * sends the document at `/docs`, below whatever path it is mounted at, so the document names its files from there.
 */
export default defineConfig({
	root: "reference",
	base: "./",
	experimental: {
		renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `docs/${file}` : { relative: true }),
	},
	build: {
		outDir: "../dist/page-reference",
		emptyOutDir: true,
		target: "es2022",
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		chunkSizeWarningLimit: 2000,
		manifest: "manifest.json",
		rolldownOptions: {
			// Most of Scalar's packages don't say that their modules do nothing by themselves, so that what one of them
			// offers brings all the others: 200 kB, gzipped.
			treeshake: {
				moduleSideEffects: [
					{ test: /\.css$/, sideEffects: true },
					{ test: /node_modules\/@scalar\//, sideEffects: false },
				],
			},
		},
	},
});
