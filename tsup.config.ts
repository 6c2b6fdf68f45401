import { join } from "node:path";
import type { Options } from "tsup";
import { entriesOf, listPackages, type Package } from "./scripts/packages/list.ts";
import { platformAliases } from "./scripts/packages/platform-aliases.ts";
import { root } from "./scripts/setup/paths.mjs";

/** The packages that run in a page. */
const inPages = new Set(["@reelmill/browser", "@reelmill/elements", "@reelmill/react"]);

/** The packages whose development dependencies are built in, where a source imports them. */
const selfContained = new Set(["@reelmill/client", "@reelmill/elements", "@reelmill/http"]);

/**
 * What stays an import. media-chrome goes into the elements: it would install React, for components that they have not.
 * tus-js-client goes into the client: it would install twenty more packages, for files that are not imported.
 * @tus/server goes into the handlers: it would install two clients of Redis, for locks that are not used.
 */
const externalOf = ({ name, dependencies = {} }: Package["manifest"]): Options =>
	selfContained.has(name) ? { external: Object.keys(dependencies) } : { skipNodeModulesBundle: true };

/** What is built in asks for modules of Node by `require`, which a module of today has not. */
const requireInHandlers: Options = {
	banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
};

const shared = {
	format: "esm",
	splitting: true,
	removeNodeProtocol: false,
	tsconfig: join(root, "tsconfig.base.json"),
	// Whatever the folder that a build is started in.
	outExtension: () => ({ js: ".js" }),
	config: false,
	silent: true,
	esbuildOptions(options) {
		options.alias = platformAliases;
	},
} as const satisfies Options;

/**
 * The elements with all that they stand on, for a page that has no bundler. hls.js and the languages are files beside
 * `elements.js`, which it loads when they are needed.
 */
export const scriptTag: Options = {
	...shared,
	entry: { elements: join(root, "packages/elements/src/index.ts") },
	outDir: join(root, "packages/elements/dist"),
	target: "es2022",
	platform: "browser",
	noExternal: [/./],
	minify: true,
	esbuildOptions(options) {
		shared.esbuildOptions(options);
		options.chunkNames = "elements/[name]-[hash]";
		options.legalComments = "linked";
	},
};

/** The code of every published package: `dist/<entry>.js` of each entry of its `exports` and `bin`. */
const configurations: Options[] = [
	...listPackages().map(
		({ folder, manifest }): Options => ({
			...shared,
			...externalOf(manifest),
			...(manifest.name === "@reelmill/http" && requireInHandlers),
			entry: Object.fromEntries(entriesOf(manifest).map(({ entry, source }) => [entry, join(folder, source)])),
			outDir: join(folder, "dist"),
			target: "es2023",
			platform: inPages.has(manifest.name) ? "browser" : "node",
			sourcemap: true,
		}),
	),
	scriptTag,
];

export default configurations;
