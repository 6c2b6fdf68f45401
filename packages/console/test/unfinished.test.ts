import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const page = new EventTarget();
let unfinished: typeof import("../src/unfinished/unfinished.ts");
beforeAll(async () => {
	vi.stubGlobal("window", page);
	unfinished = await import("../src/unfinished/unfinished.ts");
});
afterAll(() => {
	vi.unstubAllGlobals();
});

const isAsked = () => !page.dispatchEvent(new Event("beforeunload", { cancelable: true }));

describe("what a reload would end", () => {
	it("is asked about before the page closes, until the last of it is over", () => {
		expect(isAsked()).toBe(false);
		const [endOne, endOther] = [unfinished.beginWork(), unfinished.beginWork()];
		endOne();
		endOne();
		expect(isAsked()).toBe(true);
		endOther();
		expect(isAsked()).toBe(false);
	});

	it("is waited for, by whoever still wants to be called back", () => {
		const calls: string[] = [];
		unfinished.whenFinished(() => calls.push("at once"));
		const end = unfinished.beginWork();
		unfinished.whenFinished(() => calls.push("afterwards"));
		unfinished.whenFinished(() => calls.push("taken back"))();
		expect(calls).toEqual(["at once"]);
		end();
		unfinished.beginWork()();
		expect(calls).toEqual(["at once", "afterwards"]);
	});
});
