/**
 * Who may import whom among the packages: the left one imports the right ones, and no others.
 * `types` counts every import, `runtime` those that are left when the types are gone.
 */
/** What of the contract travels into pages: tables without imports. */
const face = ["contracts/src/errors.ts", "contracts/src/routes.ts", "contracts/src/containers.ts"];
/** What of the contract the media engine reads. */
const tables = ["contracts/src/containers.ts", "contracts/src/warnings.ts"];
/**
 * An adapter stands on the engine's ports alone, their types and their errors as classes, and so do the ports' cases.
 */
const ports = ["engine/src/ports/index.ts", "contracts/src/errors.ts"];

/** What a server is assembled of. */
const assembled = ["engine", "http", "media", "outbound", "postgres", "storage-local", "worker"];

/** @type {Record<string, { types: string[], runtime: string[] }>} */
const arrows = {
	contracts: { types: [], runtime: [] },
	webhooks: { types: [], runtime: [] },
	"fault-disk": { types: [], runtime: [] },
	"fault-proxy": { types: [], runtime: [] },
	media: { types: tables, runtime: tables },
	sendfile: { types: [], runtime: [] },
	opentelemetry: { types: [], runtime: [] },
	operations: { types: ["contracts/src/warnings.ts"], runtime: ["contracts/src/warnings.ts"] },
	settings: { types: [], runtime: [] },
	client: { types: ["contracts"], runtime: face },
	// The page is bundled with all it stands on; a form's chunk carries the contract's schemas.
	console: { types: ["browser", "client", "contracts"], runtime: ["browser", "client", "contracts"] },
	browser: { types: ["client", "contracts"], runtime: ["client"] },
	elements: { types: ["browser", "client"], runtime: ["browser", "client"] },
	react: { types: ["browser", "elements"], runtime: ["browser", "elements"] },
	node: { types: ["client", "webhooks", "contracts"], runtime: ["client", "webhooks", "contracts"] },
	// What `reelmill dev` runs is loaded on demand.
	cli: { types: ["node", ...assembled], runtime: ["node", ...assembled] },
	engine: { types: ["contracts", "webhooks"], runtime: ["contracts", "webhooks"] },
	postgres: { types: ports, runtime: ports },
	"storage-local": { types: ports, runtime: ports },
	"storage-s3": { types: [...ports, "outbound"], runtime: [...ports, "outbound"] },
	outbound: { types: ports, runtime: ports },
	conformance: { types: ports, runtime: ports },
	http: { types: ["engine", "contracts"], runtime: ["engine", "contracts"] },
	// A whole service in a thread of a test, and the SDK that speaks with it.
	testing: {
		types: ["node", "contracts", "webhooks", "engine", "http", "outbound", "postgres"],
		runtime: ["node", "contracts", "webhooks", "engine", "http", "outbound", "postgres"],
	},
	worker: { types: ["client", "contracts", "media"], runtime: ["client", "contracts", "media"] },
};

/**
 * The rules that forbid every other arrow.
 * @param {"types" | "runtime"} pass
 */
export function arrowRules(pass) {
	const known = Object.keys(arrows).join("|");
	const rules = Object.entries(arrows).map(([name, allowed]) => ({
		name: `arrows-of-${name}`,
		comment: `packages/${name} may import ${allowed[pass].join(", ") || "no other package"} (${pass}): scripts/boundaries/arrows.mjs`,
		severity: "error",
		from: { path: `^packages/${name}/src/` },
		to: {
			path: "^packages/",
			pathNot: [name, ...allowed[pass]].map((target) =>
				target.endsWith(".ts") ? `^packages/${target}$` : `^packages/${target}/`,
			),
		},
	}));
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
