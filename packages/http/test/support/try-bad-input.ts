import fc from "fast-check";
import { expect } from "vitest";
import type { Written } from "./bad-requests.ts";
import { createContents } from "./contents.ts";
import { expectListed, type Named } from "./contract.ts";
import type { Service } from "./open-service.ts";
import type { Answer } from "./send.ts";

/**
 * The same requests in every run; another number in FAST_CHECK_SEED tries others. A failure prints its seed and the
 * smallest request that fails.
 */
const seed = Number(process.env["FAST_CHECK_SEED"] ?? 20_260_131);

export type Try = (request: Written) => Promise<void>;
type Check = (request: Written, answer: Answer) => void | Promise<void>;

/**
 * Makes a function that sends a request and fails for an answer that the contract doesn't list for `operationOf` it,
 * for a body of another shape, for an answer without its request's id, and for a refusal after which anything in the
 * database has changed. `check` looks at each answer further.
 */
export async function createTry(
	service: Service,
	operationOf: (request: Written) => Named | undefined,
	check: Check = () => undefined,
): Promise<Try> {
	const contents = await createContents(service.database);
	let before = await contents();
	return async (request) => {
		const { method, path, headers, body } = request;
		const waits = path.includes("/claim");
		const answer = await answered(
			service,
			service.send({ method, path, headers, ...(body !== undefined && { body }) }),
			waits ? 5 : 500,
		);
		await nothingLeftToDelete(service);
		const after = await contents();
		const unchanged = before;
		before = after;
		expectListed(answer, operationOf(request), {
			method,
			requestId: headers["x-request-id"]?.replace(/^[ \t]+|[ \t]+$/g, ""),
		});
		if (answer.status >= 400) expect(after).toEqual(unchanged);
		await check(request, answer);
	};
}

/**
 * An answer comes before the bytes that it took the place of are deleted where that takes long, and time passes quickly
 * here.
 */
async function nothingLeftToDelete({ database, clock }: Service): Promise<void> {
	const due = "select count(*) as due from reelmill.deletions where not_before is null or not_before <= $1";
	await expect.poll(() => database.query({ text: due, values: [new Date(clock.now())] })).toEqual([{ due: 0 }]);
}

/** Tries `runs` of the requests that the arbitrary makes. */
export async function tryMany<T>(
	requests: fc.Arbitrary<T>,
	runs: number,
	attempt: (request: T) => Promise<void>,
): Promise<void> {
	await fc.assert(fc.asyncProperty(requests, attempt), { seed, numRuns: runs });
}

/** Tries each of the requests. */
export async function tryEach(requests: readonly Written[], attempt: Try): Promise<void> {
	for (const request of requests) {
		await attempt(request).catch((cause: unknown) => {
			throw new Error(`${(cause as Error).message}\n${JSON.stringify(request)}`, { cause });
		});
	}
}

/**
 * Lets time pass for a request that waits for something, so that it needn't be waited for: a second in every
 * `milliseconds`. Those have to be enough for disk and database wherever it isn't time that is waited for, or else they
 * are given up as silent.
 */
async function answered(service: Service, sent: Promise<Answer>, milliseconds: number): Promise<Answer> {
	let done = false;
	const answer = sent.finally(() => {
		done = true;
	});
	while (!done) {
		await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, milliseconds))]);
		if (!done && service.clock.sleepers() > 0) await service.clock.advance(1000);
	}
	return answer;
}
