import { expect, it } from "vitest";
import { slowestFiles } from "./slowest-files.ts";

it("names the ten slowest files with their seconds, the slowest first", () => {
	const files = Array.from({ length: 12 }, (_, n) => ({ path: `${n}.test.ts`, milliseconds: n * 1000 }));
	const lines = slowestFiles(files).split("\n");
	expect(lines.slice(1, 3)).toEqual(["The ten slowest files", "    11.0 s  11.test.ts"]);
	expect(lines.at(-1)).toBe("     2.0 s  2.test.ts");
});
