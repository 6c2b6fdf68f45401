import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseSpeed } from "../../../src/jobs/index.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../../support/open-engine.ts";

describe("the speed of a job", () => {
	it.each([
		["an empty queue", { waitedSeconds: 0, waiting: 0, running: 1 }, "balanced"],
		[
			"a job that waited for a worker to be started, with none behind it",
			{ waitedSeconds: 36_000, waiting: 0, running: 1 },
			"balanced",
		],
		["others behind it that will soon be taken", { waitedSeconds: 119, waiting: 3, running: 1 }, "balanced"],
		["others behind it after two minutes of waiting", { waitedSeconds: 120, waiting: 1, running: 8 }, "fast"],
		["four waiting for each that runs", { waitedSeconds: 0, waiting: 8, running: 2 }, "fast"],
	] as const)("follows the queue: %s", (_, pressure, speed) => {
		expect(chooseSpeed("auto", pressure)).toBe(speed);
	});

	it("is the operator's where the operator says one", () => {
		expect(chooseSpeed("balanced", { waitedSeconds: 600, waiting: 100, running: 1 })).toBe("balanced");
		expect(chooseSpeed("fast", { waitedSeconds: 0, waiting: 0, running: 1 })).toBe("fast");
	});
});

describe("a claim", () => {
	let opened: OpenedEngine;
	beforeEach(async () => {
		opened = await openEngine();
	});
	afterEach(() => opened.close());
	const claim = () => opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 });

	it("asks for speed while the queue is long, and no more once it is short", async () => {
		for (let n = 0; n < 2; n++) {
			const { principal } = await opened.tenant();
			for (let video = 0; video < 3; video++) await uploadVideo(opened, principal);
		}
		const speeds: unknown[] = [];
		for (let n = 0; n < 6; n++) speeds.push((await claim())?.speed);
		expect(speeds).toEqual(["fast", "balanced", "balanced", "balanced", "balanced", "balanced"]);
	});

	it("asks for speed after a long wait, but not for the last job of the queue", async () => {
		const { principal } = await opened.tenant();
		for (let video = 0; video < 2; video++) await uploadVideo(opened, principal);
		await opened.clock.advance(180_000);
		expect([(await claim())?.speed, (await claim())?.speed]).toEqual(["fast", "balanced"]);
	});
});
