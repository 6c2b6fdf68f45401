import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outro, Video } from "@reelmill/node";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { playlistOf } from "../../../engine/src/testing.ts";
import { completion, once, openService, type Service } from "../../../http/test/support/open-service.ts";
import { documents, inProcess, reelmill, reelmillJson, started } from "../support/reelmill.ts";

let service: Service;
let directory = "";
let tail = "";
beforeAll(async () => {
	service = await openService();
	directory = await mkdtemp(join(tmpdir(), "reelmill-cli-"));
	tail = join(directory, "tail.mp4");
	await writeFile(tail, "0123456789");
});
afterAll(async () => {
	await service.close();
	await rm(directory, { recursive: true });
});

const tenant = async () => ({ REELMILL_URL: service.url, REELMILL_API_KEY: (await service.tenant()).apiKey });
const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "worker" };
type Environment = Awaited<ReturnType<typeof tenant>>;
const listed = async (environment: Environment) =>
	documents<Outro>((await inProcess(environment, "outros", "list", "--json")).stdout)[0];
/** Returns the outro's job once its upload is complete. */
async function claim(environment: Environment) {
	await expect.poll(async () => (await listed(environment))?.state).toBe("encoding");
	// An outro that has all its bytes enters the queue a moment later.
	const id = (await listed(environment))?.id ?? "";
	return vi.waitFor(() => service.engine.jobs.claimById(worker, id, { worker: "w" }), { timeout: 120_000 });
}

it("an outro is uploaded, waited for, shown, appended by its slug or not at all, and deleted", async () => {
	const environment = await tenant();
	const uploading = started(
		environment,
		"outros",
		"upload",
		"tail",
		tail,
		"--label",
		"The spring one",
		"--wait",
		"--json",
	);
	const { id, lock } = await claim(environment);
	const entries = async function* () {
		yield { path: "mezzanine.mp4", bytes: once("mezzanine") };
	};
	await service.engine.jobs.replaceOutputs(id, lock, entries());
	await service.engine.jobs.complete(id, completion(lock, ["mezzanine.mp4"]));
	expect(JSON.parse((await Array.fromAsync(uploading.lines)).join("\n"))).toMatchObject({
		slug: "tail",
		state: "available",
		label: "The spring one",
	});
	expect(await uploading.ended).toBe(0);

	expect((await inProcess(environment, "outros", "list")).stdout).toMatch(
		/^SLUG +STATE +LABEL +SIZE +CREATED\ntail +available +The spring one +10 bytes +\S+\n$/,
	);
	expect((await inProcess(environment, "outros", "show", "tail")).stdout).toContain(`id                ${id}\n`);
	const pinned = async (...args: string[]) =>
		(await reelmillJson<Video>(environment, "upload", tail, ...args)).outro_id;
	expect(await pinned("--outro", "tail")).toBe(id);
	await reelmill(environment, "config", "set", "default_outro_slug=tail");
	expect(await pinned()).toBe(id);
	expect(await pinned("--no-outro")).toBeNull();

	expect(await inProcess(environment, "outros", "delete", "tail")).toEqual({
		code: 0,
		stdout: "Outro tail is deleted.\n",
		stderr: "",
	});
	expect(await inProcess(environment, "outros", "delete", "tail")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("(outro_not_found)"),
	});
});

it("an outro that fails ends with 1 and the reason", async () => {
	const environment = await tenant();
	const uploading = started(environment, "outros", "upload", "tail", tail, "--wait");
	const { id, lock } = await claim(environment);
	await service.engine.jobs.fail(id, { lock, reason: "no_video_stream", retryable: false });
	expect(await Array.fromAsync(uploading.lines)).toEqual(["tail  failed (no_video_stream)"]);
	expect(await Array.fromAsync(uploading.notes)).toEqual([
		"reelmill: Outro tail did not become available: no_video_stream. (failed)",
	]);
	expect(await uploading.ended).toBe(1);
	await writeFile(join(directory, "tail.bin"), "0123456789");
	const unknown = await inProcess(environment, "outros", "upload", "tail", join(directory, "tail.bin"));
	expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("add --content-type") });
});

it("a transcript is asked for, or not, and printed, or why there is none", async () => {
	const environment = await tenant();
	const { id, transcript_status } = await reelmillJson<Video>(environment, "upload", tail, "--transcript");
	expect(transcript_status).toBe("pending");
	expect((await inProcess(environment, "videos", "transcript", id)).stdout).toBe(
		`Video ${id} has no transcript: pending.\n`,
	);
	await reelmill(environment, "config", "set", "transcript=true");
	expect(await reelmillJson<Video>(environment, "upload", tail, "--no-transcript")).toMatchObject({
		transcript_status: "disabled",
	});
	const job = await service.engine.jobs.claimById(worker, id, { worker: "w" });
	const files = ["hls/master.m3u8", "og.jpg", "web.mp4", "transcript.vtt"];
	const entries = async function* () {
		for (const path of files)
			yield {
				path,
				bytes: once(
					path.endsWith("vtt")
						? "WEBVTT\n\n00:00.000 --> 00:01.000\nGood morning\n"
						: path === "hls/master.m3u8"
							? playlistOf(1)
							: path,
				),
			};
	};
	await service.engine.jobs.replaceOutputs(id, job.lock, entries());
	const request = completion(job.lock, files);
	await service.engine.jobs.complete(id, {
		...request,
		media: { ...request.media, transcript_status: "available", language: "en" },
	});
	expect((await inProcess(environment, "videos", "transcript", id)).stdout).toBe("Good morning\n");
});
