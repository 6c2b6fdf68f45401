import { expect, it } from "vitest";
import { megabyteOf, provesShortTurns } from "./worst-texts.ts";

/** Goes over a megabyte several times, in one turn or with others' turns between. */
const passes = async (count: number, between: () => unknown): Promise<void> => {
	for (let pass = 0; pass < count; pass++) {
		megabyteOf('"').replaceAll('"', "");
		await between();
	}
};

it("a long turn is found, however slow or fast the machine is", async () => {
	await expect(provesShortTurns(() => passes(12, () => undefined))).rejects.toThrow("milliseconds of the longest turn");
});

it("many short turns are no long one", async () => {
	await provesShortTurns(() => passes(8, () => new Promise(setImmediate)));
});
