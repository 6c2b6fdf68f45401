import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckStep, Difference } from "@reelmill/contracts";
import {
	type CheckOptions,
	createEngine,
	type Engine,
	type ImportSource,
	type ObjectStorage,
	type TenantPrincipal,
	type UploadStore,
} from "@reelmill/engine";
import { createFakeClock, type FakeClock } from "@reelmill/engine/testing";
import { createLocalBuckets, type LocalBuckets } from "./local-buckets.ts";
import { bytesOf, type OpenedEngine, openEngine, uploadVideo } from "./open-engine.ts";
import { finishWith, wholeOutputs } from "./whole-outputs.ts";

export type Where = "the local disk" | "a tenant's bucket" | "a platform location";

export const hour = 3_600_000;
const secret = "secret-of-the-tenant";

/** An engine with a tenant who stores in one kind of place, and the place past all keys. */
export type CheckWorld = {
	readonly opened: OpenedEngine;
	readonly engine: Engine;
	readonly clock: FakeClock;
	readonly buckets: LocalBuckets;
	readonly principal: TenantPrincipal;
	readonly outputs: ObjectStorage;
	readonly uploads: UploadStore;
	readonly query: <R>(text: string, ...values: unknown[]) => Promise<R[]>;
	/** A video that is available with {@link wholeOutputs}. */
	available(): Promise<string>;
	/** One that waits for a worker. */
	queued(): Promise<string>;
	/** Where a video's files lie. */
	prefixOf(id: string): Promise<string>;
	/** Puts files under a prefix, past the engine. */
	put(prefix: string, files?: Readonly<Record<string, string>>): Promise<void>;
	close(): Promise<void>;
};

/** The files of tests have the machine's time: the engine's own is so much later. */
export async function openCheckWorld(
	where: Where,
	{ aheadMilliseconds = 10 * hour, importSource }: { aheadMilliseconds?: number; importSource?: ImportSource } = {},
): Promise<CheckWorld> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-check-"));
	const buckets = createLocalBuckets(directory);
	const clock = createFakeClock(Date.now() + aheadMilliseconds);
	const bucket = {
		owner: "platform" as const,
		endpoint: null,
		publicEndpoint: null,
		protocol: "local",
		bucket: "platform",
		keyPrefix: "",
		credentials: { id: "AKIDPLATFORM", secret: "platform" },
		options: {},
	};
	const location = {
		id: "eu",
		name: "Europe",
		region: "r",
		bucket,
	};
	const opened = await openEngine({
		buckets,
		clock,
		...(importSource && { importSource }),
		storageLocations: [{ ...location, publicBaseUrl: "https://platform.example" }],
	});
	const { engine } = opened;
	await buckets.make("one", { AKIDTENANT: secret });
	await buckets.make("platform", { AKIDPLATFORM: "platform" });
	const { principal } = await opened.tenant();
	const tenants = {
		backend: "s3_tenant",
		endpoint: "https://s3.example",
		bucket: "one",
		access_key_id: "AKIDTENANT",
		secret_access_key: secret,
	} as const;
	if (where === "a tenant's bucket")
		await engine.storage.put(principal.domainId, { ...tenants, public_base_url: "https://cdn.example" });
	if (where === "a platform location")
		await engine.storage.put(principal.domainId, { backend: "s3_platform", location_id: "eu" });
	const { outputs, uploads } =
		where === "the local disk" ? opened : buckets.files(where === "a tenant's bucket" ? "one" : "platform");
	const world: CheckWorld = {
		...{ opened, engine, clock, buckets, principal, outputs, uploads },
		query: <R>(text: string, ...values: unknown[]) => opened.database.query({ text, values }) as Promise<R[]>,
		async available() {
			const id = await world.queued();
			await finishWith(engine, await engine.jobs.claimById(opened.worker, id, { worker: "w" }));
			return id;
		},
		queued: async () => (await uploadVideo(opened, principal)).video.id,
		async prefixOf(id) {
			const [row] = await world.query<{ prefix: string }>(
				"select outputs ->> 'prefix' as prefix from reelmill.videos where id = $1",
				id,
			);
			return row?.prefix ?? "";
		},
		async put(prefix, files = wholeOutputs) {
			for (const [path, text] of Object.entries(files)) await outputs.put(prefix + path, bytesOf(text));
		},
		async close() {
			await opened.close();
			await rm(directory, { recursive: true });
		},
	};
	return world;
}

/** The prefix of an attempt that no row knows. */
export const attemptOf = ({ principal }: CheckWorld, id: string): string =>
	`${principal.domainId}/${id}/${randomUUID()}/`;

export const everything: CheckOptions = { repair: true, adopt: true, removeOrphans: true, removeUnknownDomains: true };

/** All steps of a check. */
export async function checkAll(
	engine: Engine,
	told: CheckOptions = {},
): Promise<{ differences: Difference[]; steps: CheckStep[] }> {
	const steps: CheckStep[] = [];
	let cursor: string | null | undefined;
	do {
		const step = await engine.check.step({ ...told, ...(cursor && { cursor }) });
		steps.push(step);
		cursor = step.cursor;
	} while (cursor !== null);
	return { differences: steps.flatMap(({ differences }) => differences), steps };
}

/** The same engine with a clock that takes so long a step for each look at it, so that a check takes many steps. */
export const hurried = ({ opened, clock }: CheckWorld, milliseconds: number, options = opened.options): Engine => {
	let more = 0;
	const elapsed = () => {
		more += milliseconds;
		return clock.elapsed() + more;
	};
	return createEngine({ ...options, clock: { ...clock, elapsed } });
};
