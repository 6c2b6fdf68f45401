/**
 * Who may import whom among the packages: the left one imports the right ones, and no others.
 */
/** What of the contract travels into pages: tables without imports. */
const face = ["contracts/src/errors.ts", "contracts/src/routes.ts", "contracts/src/containers.ts"];
/** What of the contract the media engine reads. */
const tables = [
	"contracts/src/containers.ts",
	"contracts/src/warnings.ts",
	"contracts/src/worker-faults.ts",
	"contracts/src/captions.ts",
];
/**
 * An adapter stands on the engine's ports alone, their types and their errors as classes, and so do the ports' cases.
 */
const ports = ["engine/src/ports/index.ts", "contracts/src/errors.ts"];

/** What a server is assembled of. */
const assembled = ["engine", "http", "media", "outbound", "postgres", "storage-local", "worker"];

/**
 * What each package may import; where that differs between the two, for its types and at run time.
 * @type {Record<string, string[] | { types: string[], runtime: string[] }>}
 */
const arrows = {
	contracts: [],
	webhooks: [],
	edge: [],
	"fault-disk": [],
	"fault-proxy": [],
	media: tables,
	sendfile: [],
	opentelemetry: [],
	operations: ["contracts/src/warnings.ts", "contracts/src/worker-faults.ts", "media", "settings"],
	settings: [],
	client: { types: ["contracts"], runtime: face },
	// The page is bundled with all it stands on; a form's chunk carries the contract's schemas.
	console: ["browser", "react", "client", "contracts"],
	browser: { types: ["client", "contracts"], runtime: ["client"] },
	elements: ["browser", "client"],
	react: ["browser", "elements"],
	node: ["client", "webhooks", "contracts"],
	// What `reelmill dev` runs is loaded on demand.
	cli: ["node", "contracts/src/printable.ts", ...assembled],
	engine: ["contracts", "webhooks"],
	postgres: ports,
	"storage-local": ports,
	"storage-s3": [...ports, "outbound"],
	outbound: ports,
	conformance: ports,
	http: ["engine", "contracts"],
	// A whole service in a thread of a test, and the SDK that speaks with it.
	testing: ["node", "contracts", "webhooks", "engine", "http", "outbound", "postgres"],
	worker: ["client", "contracts", "media"],
};

/** The rules that forbid every other arrow. */
export function arrowRules() {
	const known = Object.keys(arrows).join("|");
	const rules = Object.entries(arrows).flatMap(([name, to]) =>
		Array.isArray(to)
			? [arrowsOf(name, to)]
			: [arrowsOf(name, to.types), { ...atRunTime(arrowsOf(name, to.runtime)), name: `arrows-of-${name}-at-run-time` }],
	);
	return [
		...rules,
		{
			name: "package-without-arrows",
			comment: "A new package says in scripts/boundaries/arrows.mjs what it stands on.",
			severity: "error",
			from: { path: "^packages/", pathNot: `^packages/(${known})/` },
			to: { path: "." },
		},
	];
}

/**
 * @param {string} name
 * @param {string[]} allowed
 */
const arrowsOf = (name, allowed) => ({
	name: `arrows-of-${name}`,
	comment: `packages/${name} may import ${allowed.join(", ") || "no other package"}: scripts/boundaries/arrows.mjs`,
	severity: "error",
	from: { path: `^packages/${name}/src/` },
	to: {
		path: "^packages/",
		pathNot: [name, ...allowed].map((target) =>
			target.endsWith(".ts") ? `^packages/${target}$` : `^packages/${target}/`,
		),
	},
});

/**
 * The rule for all imports but those of types, which the compiler drops.
 * @template {{ to: object }} Rule
 * @param {Rule} rule
 */
export const atRunTime = (rule) => ({ ...rule, to: { ...rule.to, dependencyTypesNot: ["type-only"] } });
