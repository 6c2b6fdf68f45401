import { describe, expect, it } from "vitest";
import { createDemand, type Demand } from "../src/demand.ts";

/** An element whose state the test sets, and time that the test moves. */
function setting(preload: "none" | "metadata" | "auto", { seen = true } = {}) {
	const element = Object.assign(new EventTarget(), { paused: true, muted: false, volume: 1, autoplay: false });
	const waits: { work: () => void; milliseconds: number }[] = [];
	const told: Demand[] = [];
	const ended = new AbortController();
	let see: (seen: boolean) => void = () => {};
	const demand = createDemand(element, {
		preload,
		signal: ended.signal,
		changed: (now) => told.push(now),
		watchSight(changed) {
			see = changed;
			changed(seen);
		},
		wait: (work, milliseconds) => waits.push({ work, milliseconds }),
	});
	const become = (event: string, state: Partial<typeof element> = {}) => {
		Object.assign(element, state);
		element.dispatchEvent(new Event(event));
	};
	return { demand, told, waits, become, see: (now: boolean) => see(now), end: () => ended.abort() };
}

describe("what a player may load", () => {
	it.each([
		["none", "poster"],
		["metadata", "metadata"],
		["auto", "all"],
	] as const)("with preload %s is %s before the play, and nothing out of view", (preload, expected) => {
		const { demand, see } = setting(preload, { seen: false });
		expect(demand.get()).toBe("nothing");
		see(true);
		expect(demand.get()).toBe(expected);
		see(false);
		expect(demand.get()).toBe("nothing");
	});

	it("is all from the first play or seek on, and when told to begin", () => {
		for (const event of ["play", "seeking"]) {
			const { demand, become } = setting("none");
			become(event);
			expect(demand.get()).toBe("all");
		}
		const { demand } = setting("metadata");
		demand.begin();
		expect(demand.get()).toBe("all");
	});

	it("is nothing half a minute after a pause, until the next play", () => {
		const { demand, become, waits } = setting("metadata");
		become("play", { paused: false });
		become("pause", { paused: true });
		expect([demand.get(), waits[0]?.milliseconds]).toEqual(["all", 30_000]);
		waits[0]?.work();
		expect(demand.get()).toBe("nothing");
		become("play", { paused: false });
		expect(demand.get()).toBe("all");
	});

	it("stays all if a play or a seek came within that half minute", () => {
		const { demand, become, waits } = setting("metadata");
		become("play", { paused: false });
		become("pause", { paused: true });
		become("seeking");
		waits[0]?.work();
		expect(demand.get()).toBe("all");
	});

	it("stays all out of view while the player is heard, and ends when it is muted", () => {
		const { demand, become, see } = setting("metadata");
		become("play", { paused: false });
		see(false);
		expect(demand.get()).toBe("all");
		become("volumechange", { muted: true });
		expect(demand.get()).toBe("nothing");
		see(true);
		expect(demand.get()).toBe("all");
	});

	it("is told once a change, and not after the end", () => {
		const { told, become, see, end } = setting("metadata");
		become("play", { paused: false });
		become("play");
		end();
		see(false);
		become("pause", { paused: true, muted: true });
		expect(told).toEqual(["metadata", "all"]);
	});
});
