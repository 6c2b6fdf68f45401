import { mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Video } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../http/test/support/open-service.ts";
import { Interrupted, runCli } from "../src/index.ts";
import { inProcess } from "./support/reelmill.ts";

const size = 120 * 1024 * 1024;
let service: Service;
let directory = "";
let large = "";
beforeAll(async () => {
	service = await openService();
	directory = await mkdtemp(join(tmpdir(), "reelmill-resumed-"));
	large = join(directory, "large.mp4");
	await writeFile(large, "");
	await truncate(large, size);
});
afterAll(async () => {
	await service.close();
	await rm(directory, { recursive: true });
});

async function tenant() {
	const { apiKey, auth } = await service.tenant();
	const home = await mkdtemp(join(directory, "home-"));
	const environment = { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey, HOME: home };
	const videos = async () =>
		((await service.send({ path: "/v1/videos", headers: auth })).json as { data: Video[] }).data;
	return { environment, videos, notes: join(home, ".local", "state", "reelmill", "uploads") };
}

/** Runs an upload that is stopped once so many percent were sent: at 20, the first chunk has arrived. */
async function stopped(environment: Record<string, string>, percent: number, ...more: string[]) {
	const stop = new AbortController();
	const drawn: string[] = [];
	const code = await runCli(["upload", large, ...more], {
		environment,
		stdout: { write() {} },
		stderr: {
			isTTY: true,
			write(text: string) {
				drawn.push(text);
				const sent = Number(/ (\d+) %/.exec(text)?.[1] ?? -1);
				if (sent >= percent) stop.abort(new Interrupted());
			},
		},
		signal: stop.signal,
	});
	return { code, drawn: drawn.join("") };
}

describe("an upload that is stopped", () => {
	it("is continued by the same command, with the same video, from where the service is", async () => {
		const { environment, videos, notes } = await tenant();
		const { code, drawn } = await stopped(environment, 20);
		const [pending] = await videos();
		expect({ code, state: pending?.state }).toEqual({ code: 1, state: "pending_upload" });
		expect(drawn).toContain(`The upload of video ${pending?.id} did not finish. The same command continues it;`);
		const [note = ""] = await readdir(notes);
		expect((await stat(join(notes, note))).mode & 0o777).toBe(0o600);

		const shown: string[] = [];
		const again = await runCli(["upload", large], {
			environment,
			stdout: { write: (text: string) => shown.push(text) },
			stderr: { isTTY: true, write: (text: string) => shown.push(text) },
			signal: new AbortController().signal,
		});
		expect(again).toBe(0);
		expect(shown.join("")).toContain(`Continuing the upload of video ${pending?.id}.`);
		const first = / (\d+) %/.exec(shown.join(""))?.[1];
		expect(Number(first)).toBeGreaterThanOrEqual(13);
		const after = await videos();
		expect(after.map(({ id, external_ref }) => [id, external_ref])).toEqual([[pending?.id, basename(large)]]);
		expect(after[0]?.uploaded_at).not.toBeNull();
		expect(await readdir(notes)).toEqual([]);
	});

	it("begins anew after its video was cancelled, and is cancelled where nothing is to be kept", async () => {
		const { environment, videos } = await tenant();
		await stopped(environment, 0);
		const [first] = await videos();
		expect((await inProcess(environment, "videos", "cancel", first?.id ?? "")).code).toBe(0);
		await stopped(environment, 0, "--no-resume", "--no-external-ref");
		expect((await videos()).map(({ state, external_ref }) => `${state} ${external_ref}`).sort()).toEqual([
			`cancelled ${basename(large)}`,
			"cancelled null",
		]);
		expect((await inProcess(environment, "upload", large)).code).toBe(0);
		expect((await videos()).filter(({ uploaded_at }) => uploaded_at !== null)).toHaveLength(1);
	});
});

describe("a file that can't be sent", () => {
	it("is told in a plain sentence, before anything is created", async () => {
		const { environment, videos } = await tenant();
		const folder = join(directory, "folder.mp4");
		await mkdir(folder, { recursive: true });
		const empty = join(directory, "empty.mp4");
		await writeFile(empty, "");
		for (const command of [["upload"], ["outros", "upload", "tail"]]) {
			const said = async (path: string) => (await inProcess(environment, ...command, path)).stderr;
			expect(await said("missing.mp4")).toBe("reelmill: There is no file missing.mp4. (ENOENT)\n");
			expect(await said(folder)).toContain("is a folder: reelmill import");
			expect(await said(empty)).toContain("is empty.");
		}
		const { max_file_bytes } = JSON.parse((await inProcess(environment, "limits", "--json")).stdout);
		const tooLarge = join(directory, "too-large.mp4");
		await writeFile(tooLarge, "");
		await truncate(tooLarge, max_file_bytes + 1);
		expect(await inProcess(environment, "upload", tooLarge)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/too-large\.mp4 has .* and at most .* may be uploaded\. \(too_large\)\n$/),
		});
		expect(await videos()).toEqual([]);
	});
});
