import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReelmillAdmin, type Difference } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finished } from "../../../http/test/support/finished.ts";
import { adminKey, openService, type Service } from "../../../http/test/support/open-service.ts";
import { createCheckRun } from "../../src/check-run.ts";
import { documents, inProcess, reelmill } from "../support/reelmill.ts";

let service: Service;
let directory: string;
let environment: Record<string, string> = {};
/** A clock ten hours ahead that moves on by a second each time it is read, so that a step ends soon. */
let looks = 0;
const clock = {
	now: () => Date.now() + 36_000_000,
	elapsed: () => 1000 * looks++,
	sleep: () => new Promise<void>(() => undefined),
};
beforeAll(async () => {
	service = await openService({}, () => ({ clock }));
	directory = await mkdtemp(join(tmpdir(), "reelmill-cli-check-"));
	environment = { REELMILL_URL: service.url, REELMILL_ADMIN_KEY: adminKey };
	await service.tenant();
});
afterAll(async () => {
	await service.close();
	await rm(directory, { recursive: true });
});

const query = (text: string, ...values: unknown[]) => service.database.query({ text, values });
const spoil = () => query("update reelmill.domains set storage_bytes = storage_bytes + 5");
/** Makes a video that waits for a worker and whose source is gone. */
async function lose({ isYoung = false } = {}): Promise<string> {
	const { domain, apiKey } = await service.tenant();
	const principal = await service.engine.keys.authenticate(`Bearer ${apiKey}`);
	const { video, upload } = await service.engine.videos.create(principal, { content_type: "video/mp4", file_size: 3 });
	const token = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await service.engine.uploads.create(token, { videoId: video.id, length: 3 });
	await service.engine.uploads.append(
		token,
		video.id,
		0,
		(async function* () {
			yield Buffer.from("abc");
		})(),
	);
	await service.engineOptions.uploads.discard(video.id);
	if (!isYoung)
		await query(
			"update reelmill.videos set updated_at = created_at - interval '3 hours' where domain_id = $1",
			domain.id,
		);
	return video.id;
}

describe("check", () => {
	it("ends with 0 if nothing differs, with 1 if something does, and with 0 once that is put right", async () => {
		expect(await reelmill(environment, "check")).toMatchObject({
			code: 0,
			stdout: "",
			stderr: expect.stringMatching(/^\d+ rows and 0 objects looked at: nothing differs\.$/m),
		});
		await spoil();
		const found = await reelmill(environment, "check");
		expect(found).toMatchObject({
			code: 1,
			stdout: expect.stringMatching(/^counters_wrong {2}local {2}tenant-0 {2}storage_bytes is 5 and comes to 0\.\n$/),
		});
		expect(found.stderr).toContain("1 difference is left.");
		const json = await inProcess(environment, "check", "--json");
		expect(json.code).toBe(1);
		expect(documents<Difference>(json.stdout)).toMatchObject([
			{ kind: "counters_wrong", reference: "tenant-0", mended: false },
		]);
		expect(JSON.parse(json.stderr)).toEqual({ error: "differences_left", message: "1 difference is left." });
		const repaired = await inProcess(environment, "check", "--repair");
		expect(repaired).toMatchObject({
			code: 0,
			stdout: expect.stringContaining("Put right."),
			stderr: expect.stringContaining("1 differences, 1 put right"),
		});
		expect((await inProcess(environment, "check", "--json")).code).toBe(0);
	});

	it("marks nothing as failed where more would fail than is allowed", async () => {
		const id = await lose();
		const state = async () => (await query("select state, failure_reason from reelmill.videos where id = $1", id))[0];
		const refused = await inProcess(environment, "check", "--repair", "--most-losses", "0");
		expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("nothing was changed") });
		expect(await state()).toMatchObject({ state: "queued" });
		expect(await inProcess(environment, "check", "--repair")).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^source_missing .*Put right\.$/m),
		});
		expect(await state()).toEqual({ state: "failed", failure_reason: "source_missing" });
	});

	it("goes on where it was stopped, from its note, and leaves none at its end", async () => {
		const orphans = Array.from({ length: 30 }, () => randomUUID());
		for (const id of orphans) await service.engineOptions.uploads.create(id);
		const admin = createReelmillAdmin({ baseUrl: service.url, adminKey });
		const file = join(directory, "note.json");
		const told = { repair: false, adopt: false, remove_orphans: true, remove_unknown_domains: false };
		const found: Difference[] = [];
		let steps = 0;
		const stop = new AbortController();
		const silent = {
			told,
			mostLosses: 0,
			file,
			onOutage: () => undefined,
			onDifference: (each: Difference) => void found.push(each),
		};
		const first = createCheckRun(admin, {
			...silent,
			signal: stop.signal,
			onProgress: (title) => {
				if (title === "Mending" && ++steps === 3) stop.abort();
			},
		});
		await expect(first()).rejects.toThrow();
		expect(existsSync(file)).toBe(true);
		const before = found.length;
		expect(before).toBeLessThan(orphans.length);
		for (const options of [["--repair"], ["--remove-orphans", "--young"]]) {
			const other = await inProcess(environment, "check", ...options, "--resume", file);
			expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("other options") });
		}
		const counts = await createCheckRun(admin, {
			...silent,
			signal: new AbortController().signal,
			onProgress: () => undefined,
		})();
		expect(counts).toMatchObject({ left: 0 });
		expect(found.map(({ reference }) => reference).sort()).toEqual(orphans.sort());
		expect(existsSync(file)).toBe(false);
		expect((await inProcess(environment, "check", "--json")).code).toBe(0);
	});

	it("says that a file is no note of a check", async () => {
		const file = join(directory, "other.json");
		await writeFile(file, "a diary");
		expect(await inProcess(environment, "check", "--resume", file)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("no note"),
		});
	});

	it("is refused to a tenant's key", async () => {
		const { apiKey } = await service.tenant();
		expect(await inProcess({ ...environment, REELMILL_ADMIN_KEY: apiKey }, "check")).toMatchObject({
			code: 1,
			stdout: "",
		});
	});

	it("says what it passed over as too young, and when to look again, and looks at it at once if told to", async () => {
		const id = await lose({ isYoung: true });
		const again = new Date(clock.now() + 3_600_000).toISOString().slice(0, 15);
		expect(await inProcess(environment, "check")).toMatchObject({
			code: 0,
			stderr: expect.stringMatching(new RegExp(`^1 skipped, written too recently .* after ${again}.*--young`, "m")),
		});
		const young = await inProcess(environment, "check", "--young", "--json");
		expect(young).toMatchObject({ code: 1, stderr: expect.not.stringContaining("too recently") });
		expect(documents(young.stdout)).toMatchObject([{ kind: "source_missing", video_id: id }]);
		expect(await inProcess(environment, "check", "--young", "--repair")).toMatchObject({ code: 0 });
	});

	it("reads every output if told to be deep, reports each that differs, and goes on where it was stopped", async () => {
		const { auth } = await service.tenant();
		const ids = [await finished(service, auth), await finished(service, auth), await finished(service, auth)].sort();
		const [first, second, last] = ids as [string, string, string];
		await query("update reelmill.videos set updated_at = created_at - interval '3 hours' where id = any($1)", ids);
		expect(await inProcess(environment, "check", "--deep")).toMatchObject({
			code: 0,
			stderr: expect.stringMatching(/^\d+ rows and \d+ objects looked at, and [\d.]+ KiB read: nothing differs\.$/m),
		});

		const stored = await readdir(service.outputsDirectory, { recursive: true });
		const pathOf = (id: string, file: string) =>
			stored.find((path) => path.includes(id) && path.endsWith(`/${file}`)) ?? "";
		const change = async (id: string, file: string, by: (bytes: Buffer) => Buffer) => {
			const path = join(service.outputsDirectory, pathOf(id, file));
			await writeFile(path, by(await readFile(path)));
		};
		const flip = (bytes: Buffer) => {
			bytes.writeUInt8(bytes.readUInt8(2) ^ 1, 2);
			return bytes;
		};
		await change(first, "web.mp4", flip);
		await change(second, "SHA256SUMS", flip);
		await change(last, "og.jpg", flip);
		await change(last, "storyboard.vtt", (bytes) => bytes.subarray(1));
		await unlink(join(service.outputsDirectory, pathOf(last, "transcript.vtt")));
		const expected = [
			["bytes_differ", pathOf(first, "web.mp4")],
			["bytes_differ", pathOf(last, "og.jpg")],
			["bytes_differ", pathOf(second, "SHA256SUMS")],
			["files_missing", pathOf(last, "web.mp4").split("/").slice(0, 2).join("/").concat("/")],
		].sort();
		const named = (found: readonly Difference[]) => found.map(({ kind, reference }) => [kind, reference]).sort();

		const plain = documents<Difference>((await inProcess(environment, "check", "--json")).stdout);
		expect(plain).toMatchObject([{ kind: "files_missing", message: expect.stringMatching(/^2 of 14 /) }]);
		const deep = await inProcess(environment, "check", "--deep", "--json");
		expect(deep).toMatchObject({ code: 1, stderr: expect.stringContaining("4 differences are left") });
		expect(named(documents(deep.stdout))).toEqual(expected);

		const admin = createReelmillAdmin({ baseUrl: service.url, adminKey });
		const file = join(directory, "deep.json");
		const found: Difference[] = [];
		const run = (signal: AbortSignal, onProgress: () => void) =>
			createCheckRun(admin, {
				told: { repair: false, adopt: false, remove_orphans: false, remove_unknown_domains: false },
				deep: true,
				mostLosses: 0,
				file,
				signal,
				onProgress,
				onOutage: () => undefined,
				onDifference: (each) => void found.push(each),
			})();
		const stop = new AbortController();
		await expect(run(stop.signal, () => found.length > 0 && stop.abort())).rejects.toThrow();
		expect(found.length).toBeLessThan(expected.length);
		expect(await inProcess(environment, "check", "--resume", file)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("other options"),
		});
		// The sums of the second one's other files can't be trusted any more.
		expect(await run(new AbortController().signal, () => undefined)).toMatchObject({
			found: 4,
			left: 4,
			withoutSums: 1,
		});
		expect(named(found)).toEqual(expected);

		await change(first, "web.mp4", flip);
		await change(second, "SHA256SUMS", flip);
		await unlink(join(service.outputsDirectory, pathOf(last, "og.jpg")));
		expect((await inProcess(environment, "check", "--repair")).code).toBe(0);
		expect(await inProcess(environment, "check", "--deep")).toMatchObject({ code: 0, stdout: "" });
		await query("update reelmill.videos set outputs = outputs - 'sums' where id = $1", first);
		expect(await inProcess(environment, "check", "--deep")).toMatchObject({
			code: 0,
			stderr: expect.stringMatching(/^1 videos and outros have files without a sum/m),
		});
	});
});
