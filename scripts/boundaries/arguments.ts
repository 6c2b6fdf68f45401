/** What dependency-cruiser follows the imports of. */
const sources = ["packages", "apps", "examples", "bench", "faults", "fuzz"];

/** What a pass of dependency-cruiser is called with. */
export const boundaryArguments = (pass: "types" | "runtime"): string[] => [
	"--config",
	`scripts/boundaries/${pass}.mjs`,
	...sources,
];
