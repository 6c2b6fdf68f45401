import { expect, it } from "vitest";
import { createProgressBar } from "../src/progress-bar.ts";
import { bytes, duration } from "../src/text.ts";

const mebibyte = 1024 * 1024;
const erased = "to 0, clear 0";

function barOn(output: { isTTY?: boolean; columns?: number }) {
	const written: string[] = [];
	let now = 0;
	let at = "";
	const terminal = {
		...output,
		cursorTo: (column: number) => (at = `to ${column}, `),
		clearLine: (direction: 0) => written.push(`${at}clear ${direction}`),
		write: (text: string) => written.push(text),
	};
	const bar = createProgressBar(terminal, () => now);
	return { bar, written, advance: (seconds: number) => (now += seconds * 1000) };
}

it("draws share, bytes, speed and time left on one line", () => {
	const { bar, written, advance } = barOn({ isTTY: true, columns: 120 });
	bar.bytes(0, 8 * mebibyte);
	advance(1);
	bar.bytes(2 * mebibyte, 8 * mebibyte);
	expect(written.at(-1)).toBe(
		`Uploading ${"█".repeat(6)}${"░".repeat(18)}  25 %  2.0 MiB of 8.0 MiB  2.0 MiB/s  3 s left`,
	);
	advance(3);
	bar.bytes(8 * mebibyte, 8 * mebibyte);
	expect(written.at(-1)).toBe(`Uploading ${"█".repeat(24)} 100 %  8.0 MiB of 8.0 MiB`);
	bar.clear();
	bar.clear();
	expect(written.slice(-2)).toEqual([expect.stringContaining("100 %"), erased]);
});

it("takes 80 columns where a terminal does not tell its width", () => {
	const { bar, written } = barOn({ isTTY: true, columns: 0 });
	bar.bytes(8 * mebibyte, 8 * mebibyte);
	expect(written).toEqual([erased, `Uploading ${"█".repeat(24)} 100 %  8.0 MiB of 8.0 MiB`]);
});

it("measures anew when bytes were lost and are sent again", () => {
	const { bar, written, advance } = barOn({ isTTY: true, columns: 120 });
	bar.bytes(4 * mebibyte, 8 * mebibyte);
	advance(1);
	bar.bytes(2 * mebibyte, 8 * mebibyte);
	expect(written.at(-1)).toMatch(/2\.0 MiB of 8\.0 MiB$/);
	advance(1);
	bar.bytes(3 * mebibyte, 8 * mebibyte);
	expect(written.at(-1)).toMatch(/1\.0 MiB\/s {2}5 s left$/);
});

it("redraws at most ten times a second, and keeps to the terminal's width", () => {
	const { bar, written, advance } = barOn({ isTTY: true, columns: 30 });
	for (let sent = 0; sent < 50; sent++) {
		bar.bytes(sent, 100);
		advance(0.01);
	}
	const drawn = written.filter((text) => text !== erased);
	expect(drawn.length).toBeLessThanOrEqual(6);
	for (const text of drawn) expect(text.length).toBe(29);
});

it("draws nothing where nobody looks", () => {
	const { bar, written } = barOn({});
	bar.bytes(1, 2);
	bar.percent("Encoding", 3);
	bar.clear();
	expect(written).toEqual([]);
});

it("writes sizes and times as people say them", () => {
	expect([0, 1023, 1024, 1.5 * mebibyte, 10 * 1024 ** 3].map(bytes)).toEqual([
		"0 bytes",
		"1023 bytes",
		"1.0 KiB",
		"1.5 MiB",
		"10.0 GiB",
	]);
	expect([0.2, 59, 60, 200].map(duration)).toEqual(["1 s", "59 s", "1 min 0 s", "3 min 20 s"]);
});
