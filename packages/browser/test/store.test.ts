import { describe, expect, it } from "vitest";
import { createStore } from "../src/store.ts";

describe("a store", () => {
	it("tells changes to those who listen, and nothing to those who ended it", () => {
		const { store, set } = createStore({ a: 1, b: 2 });
		const told: unknown[] = [];
		const stop = store.subscribe((state) => told.push(state));
		const before = store.get();
		set({ a: 1 });
		expect(store.get()).toBe(before);
		set({ a: 3 });
		stop();
		stop();
		set({ a: 4 });
		expect(told).toEqual([{ a: 3, b: 2 }]);
	});
});
