import { OutcomeError } from "../failure.ts";

const names = ["engine", "http", "media", "outbound", "postgres", "storage-local", "worker"].map(
	(name) => `@reelmill/${name}`,
);

/**
 * Loads what a server is assembled of. These packages are no dependencies of the command line: few who use it run a
 * server.
 * @throws {OutcomeError} when one of them is not installed; the sentence says what to install
 */
export async function loadServerParts() {
	try {
		const [engine, http, media, outbound, postgres, embedded, storage, worker] = await Promise.all([
			import("@reelmill/engine"),
			import("@reelmill/http"),
			import("@reelmill/media"),
			import("@reelmill/outbound"),
			import("@reelmill/postgres"),
			import("@reelmill/postgres/embedded"),
			import("@reelmill/storage-local"),
			import("@reelmill/worker"),
		]);
		return { ...engine, ...http, ...media, ...outbound, ...postgres, ...embedded, ...storage, ...worker };
	} catch (error) {
		throw isMissing(error) ? missingParts() : error;
	}
}

export type ServerParts = Awaited<ReturnType<typeof loadServerParts>>;

const isMissing = (error: unknown): boolean =>
	error instanceof Error &&
	(error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND" &&
	names.some((name) => error.message.includes(name));

/** Makes the error that says what to install. */
const missingParts = (): OutcomeError =>
	new OutcomeError(
		"packages_missing",
		`The server's packages are not installed here: npm install --save-dev reelmill ${names.join(" ")}`,
	);
