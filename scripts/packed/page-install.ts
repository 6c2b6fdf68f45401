import { readFileSync, realpathSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** What a page loads of an entry, at most: bytes, minified and gzipped. */
const limits: Record<string, number> = {
	"@reelmill/browser/upload": 16_600,
	"@reelmill/client": 15_500,
};

/** How many packages a package for pages may install in all, itself included. */
const mostPackages = 10;

/** The packages for pages, and what a page has that installs one. */
const forPages: Readonly<Record<string, readonly string[]>> = {
	"@reelmill/browser": [],
	"@reelmill/elements": [],
	"@reelmill/react": ["react", "react-dom"],
};

/**
 * What no page needs to install: schemas, their documents, what imitates Node, and tus-js-client. The part of it that
 * sends is built into the client; the rest of it, for old browsers and for Node, would bring twenty more packages.
 */
const unwanted =
	/^(?:zod|yaml|@asteasolutions\/.*|tus-js-client|buffer(?:-from)?|process|stream-browserify|url-parse|js-base64)$/;

/**
 * Proves what a page installs and loads, from the packed packages under `directory/node_modules`: how many packages
 * there are, that none of them is unwanted, what the entries weigh, and that React's are client components. Peers that
 * are optional are not installed.
 * @throws {Error} when something is more than is allowed; the message has the figures
 */
export async function provePageInstall(directory: string): Promise<void> {
	for (const [first, own] of Object.entries(forPages)) {
		const installed = installedWith(first, own, directory);
		const told = `${first} installs ${installed.length} packages: ${installed.join(", ")}`;
		if (installed.length > mostPackages) throw new Error(`${told}. It may install ${mostPackages}.`);
		const wrong = installed.filter((name) => unwanted.test(name));
		if (wrong.length > 0) throw new Error(`A page installs ${wrong.join(", ")}, which it doesn't need.`);
		console.log(told);
	}
	proveClientDirective(directory);
	for (const [entry, limit] of Object.entries(limits)) {
		const bytes = await weigh(entry, directory);
		if (bytes > limit) throw new Error(`${entry} weighs ${bytes} bytes, minified and gzipped. It may weigh ${limit}.`);
		console.log(`${entry}: ${bytes} of ${limit} bytes, minified and gzipped`);
	}
}

/** React takes a file as a client component by its first statement, which a bundler may move or drop. */
function proveClientDirective(directory: string): void {
	const file = join(directory, "node_modules/@reelmill/react/dist/index.js");
	if (!/^(["'])use client\1;/.test(readFileSync(file, "utf8")))
		throw new Error(`${file} must begin with "use client", for React's server components.`);
}

/** The names of all packages that come with one, itself first, but those that the page has of its `own`. */
function installedWith(first: string, own: readonly string[], directory: string): string[] {
	const found = new Map([[first, join(directory, "node_modules", first)]]);
	for (const [, folder] of found) {
		const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(folder);
		const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
		for (const name of [...Object.keys(dependencies), ...peers])
			if (!found.has(name) && !own.includes(name)) found.set(name, locate(name, folder));
	}
	return [...found.keys()];
}

type Manifest = {
	readonly dependencies?: Record<string, string>;
	readonly peerDependencies?: Record<string, string>;
	readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
};
const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Finds a package as Node does: in the `node_modules` of the folder, or of one above it. */
const locate = (name: string, from: string): string =>
	dirname(findPackageJSON(name, join(realpathSync(from), "package.json")) ?? "");

/** Bundles what an entry exports, as a page's bundler does, and weighs it without what is loaded later. */
async function weigh(entry: string, directory: string): Promise<number> {
	const { outputFiles } = await build({
		stdin: { contents: `export * from ${JSON.stringify(entry)};`, resolveDir: directory },
		bundle: true,
		minify: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		write: false,
		external: ["hls.js", "mediabunny"],
	});
	return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
