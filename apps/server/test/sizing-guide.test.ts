import { readFileSync } from "node:fs";
import { domainLimitDefaults, limits, rateLimits } from "@reelmill/contracts";
import { defaultWindows } from "@reelmill/engine";
import { describe, expect, it } from "vitest";
import { help, readConfig } from "../src/config.ts";
import { connectionsOf } from "../src/start/share-of.ts";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const guide = ["guides", "measurements"].map((folder) => read(`docs/${folder}/sizing.md`)).join("\n");
const number = (cell = ""): number => Number(cell.replaceAll(",", ""));

/** The rows of the guide's table that begins with these words: their names, and their numbers. */
function table(words: string): Map<string, number[]> {
	const [, text = ""] = guide.split(`\n| ${words}`);
	const [rows = ""] = text.split("\n\n");
	const cells = rows
		.split("\n")
		.slice(2)
		.map((row) =>
			row
				.split("|")
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
	return new Map(cells.map(([name = "", ...rest]) => [name, rest.map(number)]));
}
const row = (rows: ReadonlyMap<string, readonly number[]>, words: string): readonly number[] => {
	const [found] = [...rows].filter(([name]) => name.startsWith(words));
	if (found === undefined) throw new Error(`the guide has no row ${words}`);
	return found[1];
};
const [media, steps, rows, rates] = ["Renditions", "Step", "Rows of", "Rendition |"].map(table) as [
	Map<string, number[]>,
	Map<string, number[]>,
	Map<string, number[]>,
	Map<string, number[]>,
];
const examples = table("| Small");
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
/** What a column of steps adds up to: of a video's life, or of a play. */
const ofVideo = (column: number) =>
	sum(["initiate", "upload", "job"].map((step) => row(steps, step)[column] as number));
const ofPlay = (column: number) =>
	(row(steps, "play")[column] as number) + 180 * (row(steps, "a range")[column] as number);
const sound = Number(/and ([\d.]+) Mb\/s of sound/.exec(guide)?.[1]);

describe("the guide to sizing", () => {
	it("has the settings and limits that there are", () => {
		const config = readConfig({});
		const { QUEUE_SECONDS, WEBHOOK_LOG_DAYS, KEEP_FAILED_DAYS } = config;
		expect(guide).toContain("`REELMILL_QUEUE_SECONDS` (a day)");
		expect(QUEUE_SECONDS).toBe(86_400);
		expect(guide).toContain(`${WEBHOOK_LOG_DAYS} days (\`REELMILL_WEBHOOK_LOG_DAYS\`)`);
		expect(guide).toContain(`\`REELMILL_KEEP_FAILED_DAYS\` (${KEEP_FAILED_DAYS})`);
		expect(guide).toContain(`**Connections**: ${connectionsOf(config, 1)} for each server`);
		expect(guide).toContain("`REELMILL_DELIVERY_MEMORY_BYTES` has more than its 128 MiB");
		expect(help).toMatch(/DELIVERY_MEMORY_BYTES.*\n?.*128 MiB/);
		expect(domainLimitDefaults).toEqual({
			daily_upload_bytes: 10 * 1024 ** 3,
			storage_bytes_limit: 100 * 1024 ** 3,
			max_concurrent_processing: 4,
		});
		expect(guide).toContain("at most four jobs at once (`max_concurrent_processing`)");
		expect(guide).toContain("stores 100 GiB (`storage_bytes_limit`) and takes 10 GiB a day (`daily_upload_bytes`)");
		expect(guide).toContain(`at most ${rateLimits.api.limit} calls a minute`);
		expect([rateLimits.api.windowSeconds, limits.playbackKeySeconds.max, limits.videoIdsPerPlaybackKey]).toEqual([
			60, 86_400, 20,
		]);
		expect(guide).toContain(`(at most ${limits.maxFileBytes / 1024 ** 2} MiB)`);
		expect([limits.maxDurationSeconds, defaultWindows.webhookLog]).toEqual([15 * 60, 30 * 86_400]);
		expect(read("apps/transcoder/src/config.ts")).toMatch(/CONCURRENCY: \{[^}]*fallback: 1,/);
	});

	it("has the most bits that encodes are held to, and a work directory that has room for them", () => {
		const encoding = read("docs/guides/encoding.md");
		const most = ["h264_720", "h264_1080", "av1_720", "av1_1080"].map((name) => {
			const [, bits] = new RegExp(`^\\| ${name} .* ([\\d.]+) M \\|$`, "m").exec(encoding) ?? [];
			expect([name, row(rates, name)[1]]).toEqual([name, Number(bits)]);
			return Number(bits);
		});
		// web.mp4 is the largest H.264 rendition once more; both have the sound.
		const megabytes = ((sum(most) + (most[1] ?? 0) + 2 * sound) * limits.maxDurationSeconds) / 8;
		const room = Number(/: ([\d.]+) GB are enough for the longest video/.exec(guide)?.[1]);
		expect(megabytes / 1000 + limits.maxFileBytes / 1e9).toBeLessThan(room);
	});

	it("keeps of a minute no less than the averages of its renditions come to", () => {
		const average = (name: string) => ((row(rates, name)[0] as number) * 60) / 8;
		const four = sum(["h264_720", "h264_1080", "av1_720", "av1_1080"].map(average)) + average("h264_1080");
		expect(row(media, "all four")[1]).toBeGreaterThan(four);
		expect(row(media, "all four")[1]).toBeLessThan(four * 1.1);
	});

	it.each([0, 1, 2])("works its example %i out right", (column) => {
		const of = (words: string): number => row(examples, words)[column] as number;
		const videos = of("videos a day");
		const [perSecond, plays] = [videos / 10 / 3600, videos / 3600];
		const cores = (videos / 10) * 3 * (of("CPU seconds for a minute") / 3600);
		const [viewers, hour] = [plays * 180, videos / 10];
		const bytes = (words: string) => row(rows, words)[0] as number;
		const database = videos * (365 * bytes("videos") + 30 * bytes("webhook") + bytes("idempotency"));
		const share = (at: number) => ((perSecond * ofVideo(at) + plays * ofPlay(at)) / 1000) * 100;
		for (const [words, value] of [
			["cores to encode", cores],
			["raw uploads", hour * 0.1],
			["outputs of a year", (videos * 3 * of("MB kept") * 365) / 1e6],
			["database after a year", database / 1e9],
			["servers in", share(0)],
			["PostgreSQL in", share(1)],
			["statements", (row(steps, "a second")[2] as number) + perSecond * ofVideo(2) + plays * ofPlay(2)],
			["upload, Mb/s", (hour * 100 * 8) / 3600],
			["viewers at once", viewers],
			["to viewers", viewers * ((row(rates, "h264_720")[0] as number) + sound)],
		] as const)
			expect([words, Math.abs(of(words) / value - 1) < 0.07, value]).toEqual([words, true, value]);
		expect(of("transcoders of two cores")).toBe(Math.ceil(cores / 2) + 1);
	});
});
