/** The most that `npm test` costs on a fresh clone, and `npm run test:fast`, in seconds of CPU as costs.json has them. */
export const budgets = { daily: 1200, fast: 190 };

/** What `npm test` does beside the tests, and what that may cost. */
export const workBudgets: Record<string, number> = {
	"set-up": 80,
	"static checks": 130,
	"packed packages": 124,
	// What test files share.
	vitest: 42,
	PostgreSQL: 196,
	"S3 server": 26,
};

/** The tests of a subject, by their folders, and what those of `npm test` may cost together. */
export type TestPart = { readonly folders: readonly string[]; readonly budget: number };

export const testParts: Record<string, TestPart> = {
	contracts: {
		folders: [
			"packages/contracts",
			"packages/client",
			"packages/webhooks",
			"packages/edge",
			"packages/settings",
			"packages/operations",
			"packages/outbound",
			"packages/opentelemetry",
			"packages/sendfile",
			"packages/fault-disk",
			"packages/fault-proxy",
		],
		budget: 30,
	},
	engine: { folders: ["packages/engine", "packages/postgres", "packages/conformance"], budget: 119.5 },
	http: { folders: ["packages/http"], budget: 132 },
	storage: { folders: ["packages/storage-local", "packages/storage-s3"], budget: 43 },
	media: { folders: ["packages/media", "packages/worker"], budget: 91 },
	sdks: {
		folders: [
			"packages/node",
			"packages/browser",
			"packages/elements",
			"packages/react",
			"packages/cli",
			"packages/testing",
		],
		budget: 34.7,
	},
	console: { folders: ["packages/console"], budget: 19.1 },
	server: { folders: ["apps"], budget: 61 },
	examples: { folders: ["examples"], budget: 57.9 },
	machinery: { folders: ["scripts", "faults", "fuzz", "docs"], budget: 13.7 },
};

/** The name of the part that a test file belongs to. */
export const partOf = (file: string): string | undefined =>
	Object.entries(testParts).find(([, { folders }]) => folders.some((folder) => file.startsWith(`${folder}/`)))?.[0];
