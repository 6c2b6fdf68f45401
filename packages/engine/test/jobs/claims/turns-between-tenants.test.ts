import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const claim = () => opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 });

/** A tenant that may process `slots` videos at once, and a name for each of its videos: `a1`, `a2`, ... */
async function tenantOf(letter: string, slots: number, names: Map<string, string>) {
	const { principal } = await opened.tenant(letter, { max_concurrent_processing: slots });
	let count = 0;
	return async (videos: number) => {
		for (let index = 0; index < videos; index++) {
			const { video } = await uploadVideo(opened, principal);
			names.set(video.id, `${letter}${++count}`);
			await opened.clock.advance(1000);
		}
	};
}

/** The names in the order in which one worker gets and finishes them. */
async function workThrough(names: Map<string, string>, most = Number.POSITIVE_INFINITY): Promise<string[]> {
	const order: string[] = [];
	for (let job = await claim(); job !== null; job = order.length < most ? await claim() : null) {
		order.push(names.get(job.id) ?? "");
		await finishJob(opened, job);
		await opened.clock.advance(1000);
	}
	return order;
}

describe("waiting jobs", () => {
	it("are taken in turns by tenant, each tenant's oldest first, however many slots one has and however early it came", async () => {
		const names = new Map<string, string>();
		const many = await tenantOf("a", 50, names);
		const few = await tenantOf("b", 2, names);
		const one = await tenantOf("c", 1, names);
		await many(6);
		await few(3);
		await one(3);
		expect(await workThrough(names)).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "a4", "a5", "a6"]);
	});

	it("of a tenant that comes anew stand beside those of one that has been at it for long, neither before them nor behind", async () => {
		const names = new Map<string, string>();
		const long = await tenantOf("a", 50, names);
		const anew = await tenantOf("b", 50, names);
		await long(8);
		expect(await workThrough(names, 5)).toEqual(["a1", "a2", "a3", "a4", "a5"]);
		await anew(4);
		expect(await workThrough(names)).toEqual(["a6", "b1", "a7", "b2", "a8", "b3", "b4"]);
		await anew(2);
		await long(2);
		expect(await workThrough(names)).toEqual(["b5", "a9", "b6", "a10"]);
	});

	it("that were given back get the present turn, and hold nobody up while they wait", async () => {
		const names = new Map<string, string>();
		const many = await tenantOf("a", 50, names);
		const other = await tenantOf("b", 50, names);
		await many(3);
		const failing = await claim();
		await opened.engine.jobs.fail(failing?.id ?? "", {
			lock: failing?.lock ?? "",
			reason: "storage_error",
			retryable: true,
		});
		await other(2);
		await opened.clock.advance(5000);
		const order = await workThrough(names);
		expect(order.slice().sort()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
		expect(order.indexOf("a1")).toBeLessThan(order.indexOf("a3"));
		expect(order.indexOf("b1")).toBeLessThan(3);
	});
});
