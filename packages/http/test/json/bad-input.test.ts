import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultyBodies, type Known, requestsFor, segment, type Written } from "../support/bad-requests.ts";
import { type Named, operationAt, pathOf, served } from "../support/contract.ts";
import { sandboxAuth, unlimited } from "../support/credentials.ts";
import { finished } from "../support/finished.ts";
import { adminKey, claimed, initiate, openService, type Service } from "../support/open-service.ts";
import { bearer } from "../support/send.ts";
import { createTry, tryEach, tryMany } from "../support/try-bad-input.ts";

/** REELMILL_BAD_INPUT_RUNS asks for more requests to each operation; the nightly run sends 24. */
const runs = Number(process.env["REELMILL_BAD_INPUT_RUNS"] ?? 2);
/** By day some of what is wrong in many ways, spread evenly; all of it where 24 requests are asked for. */
const someOf = <T>(all: readonly T[]): readonly T[] => {
	const every = runs < 24 ? Math.ceil(all.length / runs) : 1;
	return all.filter((_, place) => place % every === 0);
};
/** All but those that take or give bytes on the raw server. */
const operations = served.filter(
	({ plane, content, success }) =>
		plane !== "upload" && plane !== "delivery" && !(plane === "internal" && (content ?? "content" in success)),
);
let service: Service;
/** For all that changes nothing. */
let shared: World;
beforeAll(async () => {
	service = await openService({}, () => ({ rateLimiter: unlimited }));
	await service.engine.start();
	await service.engine.stop();
	shared = await createWorld();
});
afterAll(() => service.close());

type World = {
	/** What each part of the API has, by the beginning of its paths. */
	readonly own: Readonly<Record<string, readonly string[]>>;
	readonly cursors: readonly string[];
	readonly credentials: Readonly<Record<string, string | undefined>>;
};

function knownTo({ path }: Named, { own, cursors }: World): Known {
	const nearest = Object.entries(own).filter(([prefix]) => path.startsWith(prefix));
	const ofIts = nearest.flatMap(([, ids]) => ids);
	return { cursors, ids: [...ofIts, ...ofIts, ...Object.values(own).flat()] };
}

/** A tenant with something in every state to be asked for, and the credential of each plane. */
async function createWorld(): Promise<World> {
	const { auth } = await service.tenant({ webhook_url: "https://hooks.example/", webhook_secret: "whsec_x" });
	const other = await service.tenant();
	const cancelled = (await initiate(service, auth)).video.id;
	await service.send({ method: "POST", path: `/v1/videos/${cancelled}/cancel`, headers: auth });
	const [pending, job, done] = [
		(await initiate(service, auth)).video.id,
		await claimed(service, auth),
		await finished(service, auth),
	];
	const foreign = (await initiate(service, other.auth)).video.id;
	const { service_account } = await service.engine.accounts.create({ name: `account of ${pending}` });
	const list = async (path: string, headers: Record<string, string>) =>
		(await service.send({ path: `${path}?limit=1`, headers })).json as {
			data: { id: string }[];
			next_cursor: string | null;
		};
	const deliveries = await list("/v1/webhook-deliveries", auth);
	const cursors = [
		(await list("/v1/videos", auth)).next_cursor,
		deliveries.next_cursor,
		(await list("/admin/v1/domains", bearer(adminKey))).next_cursor,
	];
	return {
		own: {
			"/v1/videos": [pending, done, cancelled, foreign],
			"/v1/webhook-deliveries": deliveries.data.map(({ id }) => id),
			"/internal/v1/jobs": [job.id, job.lock],
			"/admin/v1/domains": [other.domain.id],
			"/admin/v1/service-accounts": [service_account.id],
		},
		cursors: cursors.filter((cursor) => cursor !== null),
		credentials: {
			tenant: auth["authorization"],
			service: (await service.serviceAuth())["authorization"],
			admin: `Bearer ${adminKey}`,
		},
	};
}

/** The operation that a request comes to, its path read as a URL. */
const operationOf = ({ method, path }: Written): Named | undefined =>
	operationAt(operations, method, new URL(`http://host${path}`).pathname);

describe("whatever is sent to the JSON planes", () => {
	it.each(operations)(
		"gets an answer from $name that the contract lists, and changes nothing if it is refused",
		async (operation) => {
			const world = operation.method === "GET" ? shared : await createWorld();
			const requests = requestsFor(operation, world.credentials[operation.auth], knownTo(operation, world));
			await tryMany(requests, runs, await createTry(service, operationOf));
		},
	);

	it.each(operations.filter(({ body }) => body !== undefined))(
		"gets such an answer from $name for each single thing that a body can have wrong",
		async (operation) => {
			const world = await createWorld();
			await tryEach(
				someOf(faultyBodies(operation, world.credentials[operation.auth], knownTo(operation, world))),
				await createTry(service, operationOf),
			);
		},
	);

	it("gets such an answer in a sandbox session too", async () => {
		const session = await sandboxAuth(service);
		const own = {
			...shared.own,
			"/v1/videos/{id}": [(await initiate(service, session)).video.id, (await initiate(service, session)).video.id],
		};
		const requests = fc
			.constantFrom(...operations.filter(({ auth }) => auth === "tenant"))
			.chain((operation) => requestsFor(operation, session["authorization"], knownTo(operation, { ...shared, own })));
		await tryMany(requests, 5 * runs, await createTry(service, operationOf));
	});

	it("finds nothing under a path of the contract with a method that it doesn't have there", async () => {
		const requests = fc
			.record({
				operation: fc.constantFrom(...operations),
				method: fc.constantFrom("HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "GET"),
				id: segment({ ids: Object.values(shared.own).flat(), cursors: [] }),
				end: fc.constantFrom("", "", "/", "//", "/x", "%2f", ".json"),
			})
			.map(({ operation, method, id, end }) => ({
				method,
				path: pathOf(operation, () => id) + end,
				headers: { authorization: shared.credentials[operation.auth] ?? "" },
				body: undefined,
			}));
		await tryMany(requests, 5 * runs, await createTry(service, operationOf));
	});

	it("never is a failure of ours", () => {
		expect(service.logger.entries.filter(({ level }) => level === "error")).toEqual([]);
	});
});
