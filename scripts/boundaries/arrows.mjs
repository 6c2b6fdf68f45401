/**
 * Who may import whom among the packages: the left one imports the right ones, and no others.
 * `types` counts every import, `runtime` those that are left when the types are gone.
 */
const face = ["contracts/src/errors.ts", "contracts/src/routes.ts"];
/** An adapter stands on the engine's ports: their types, and their errors as classes. */
const ports = ["engine/src/index.ts", ...face];

/** @type {Record<string, { types: string[], runtime: string[] }>} */
const arrows = {
	contracts: { types: [], runtime: [] },
	webhooks: { types: [], runtime: [] },
	media: { types: [], runtime: [] },
	settings: { types: [], runtime: [] },
	client: { types: ["contracts"], runtime: face },
	browser: { types: ["client", "contracts"], runtime: ["client"] },
	node: { types: ["client", "webhooks", "contracts"], runtime: ["client", "webhooks", "contracts"] },
	engine: { types: ["contracts", "webhooks"], runtime: ["contracts", "webhooks"] },
	postgres: { types: ["engine", "contracts"], runtime: ports },
	"storage-local": { types: ["engine", "contracts"], runtime: ports },
	outbound: { types: ["engine", "contracts"], runtime: ports },
	conformance: { types: ["engine", "contracts"], runtime: ports },
	http: { types: ["engine", "contracts"], runtime: ["engine", "contracts"] },
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
		to: { path: "^packages/", pathNot: [name, ...allowed[pass]].map((target) => (target.endsWith(".ts") ? `^packages/${target}$` : `^packages/${target}/`)) },
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
