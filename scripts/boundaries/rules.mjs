import { builtinModules } from "node:module";
import { arrowRules, atRunTime } from "./arrows.mjs";

const engine = "^packages/engine/src";
/** Sources whose imports are built into what is published. */
const bundled = "^packages/(console/src/(?!index\\.ts$)|elements/src/player/|client/src/(transfer|http-stack))";

const forbidden = [
	...arrowRules(),
	{
		name: "no-cycle",
		comment: "Two files that need each other are one, or there is a third in them. Types count as well.",
		severity: "error",
		from: {},
		to: { circular: true },
	},
	{
		name: "no-circle-of-folders",
		comment: "Of two folders one stands on the other. What both need belongs in the lower one, or in a third.",
		severity: "error",
		scope: "folder",
		from: { path: "^(packages|apps|examples)/" },
		to: { circular: true },
	},
	{
		name: "nothing-imports-apps",
		comment: "Apps choose and wire; what another part needs belongs in a package.",
		severity: "error",
		from: { path: "^(packages|apps|examples|bench|faults|fuzz)/([^/]+)/" },
		to: { path: "^apps/", pathNot: "^$1/$2/" },
	},
	{
		name: "packages-know-no-examples",
		severity: "error",
		from: { path: "^(packages|apps)/[^/]+/src/" },
		to: { path: "^(examples|bench|faults|fuzz|scripts)/" },
	},
	{
		name: "sources-know-no-tests",
		severity: "error",
		from: { path: "^(packages|apps|examples)/[^/]+/src/" },
		to: { path: "^(packages|apps|examples)/[^/]+/test/" },
	},
	{
		name: "engine-nouns-meet-through-their-index",
		comment: "A folder of the engine is seen by the others only through its index.ts.",
		severity: "error",
		from: { path: `${engine}/([^/]+)/` },
		to: { path: `${engine}/[^/]+/`, pathNot: [`${engine}/$1/`, `${engine}/[^/]+/index\\.ts$`] },
	},
	{
		name: "only-the-engine-sees-all-nouns",
		comment: "engine.ts composes the nouns; none of them reaches back to it.",
		severity: "error",
		from: { path: `${engine}/[^/]+/` },
		to: { path: `${engine}/(engine|index)\\.ts$` },
	},
	{
		name: "sources-import-what-they-declare",
		comment: "What src/ imports stands in the package's own dependencies, or among its peers.",
		severity: "error",
		from: { path: "^(packages|apps|examples)/[^/]+/src/", pathNot: bundled },
		to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["npm-peer"] },
	},
	{
		name: "the-page-imports-what-it-declares",
		comment: "The console's page, media-chrome and tus-js-client are built in: they are development dependencies.",
		severity: "error",
		from: { path: bundled },
		to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
	},
	{ name: "every-import-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
	// Together they keep pages free of schemas and of Node, whatever these import in turn.
	atRunTime({
		name: "face-of-the-contract-imports-nothing",
		comment: "These travel into browsers: no zod, nothing else.",
		severity: "error",
		from: { path: "^packages/contracts/src/(errors|routes|containers)\\.ts$" },
		to: { path: "." },
	}),
	atRunTime({
		name: "browser-never-imports-zod-or-node",
		comment: "The client and the packages for pages run in a page: no schemas, nothing of Node.",
		severity: "error",
		from: { path: "^packages/(browser|client|elements|react)/src/" },
		to: { path: ["(^|/)node_modules/(zod|@asteasolutions)/", `^(node:)?(${builtinModules.join("|")})$`] },
	}),
];

export default {
	forbidden,
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "tsconfig.base.json" },
		doNotFollow: { path: "node_modules" },
		// These examples are no workspaces: Next.js, Angular and SvelteKit are not installed here.
		exclude: {
			path: ["/dist/", "^examples/nextjs/", "^examples/angular/page/", "^examples/ten-minutes/(?:nextjs|sveltekit)/"],
		},
		enhancedResolveOptions: {
			exportsFields: ["exports"],
			conditionNames: ["import", "types", "node", "default"],
			extensions: [".ts", ".mjs", ".js", ".json", ".d.ts"],
		},
	},
};
