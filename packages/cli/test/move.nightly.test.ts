import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DomainLimits, metadataLimits } from "@reelmill/contracts";
import type { Video } from "@reelmill/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clipOf, file, type Origin, openOrigin } from "../../engine/test/imports/origin.ts";
import { openService, type Service } from "../../http/test/support/open-service.ts";
import { bearer } from "../../http/test/support/send.ts";
import { createImportSource } from "../../outbound/src/index.ts";
import { nameLimits } from "../src/move/listed-video.ts";
import { readList } from "../src/move/read-list.ts";
import { finish } from "./support/finished.ts";
import { documents, inProcess } from "./support/reelmill.ts";

const source = createImportSource({ allow: ["127.0.0.1/32"] });
const clip = clipOf(100_000);
const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "worker" };
let service: Service;
let origin: Origin;
let directory = "";
beforeAll(async () => {
	service = await openService({}, () => ({ importSource: source, importsAtOnce: 4 }));
	origin = await openOrigin();
	directory = await mkdtemp(join(tmpdir(), "reelmill-move-"));
});
afterAll(async () => {
	await service.close();
	await Promise.all([origin.close(), source.close(), rm(directory, { recursive: true })]);
});

type Told = {
	reference: string;
	outcome: string;
	video_id: string | null;
	captions: string[];
	error: string | null;
	message: string | null;
	advice: string | null;
};

let tenants = 0;
async function tenant(limits: Partial<DomainLimits> = {}) {
	const { api_key: apiKey } = await service.engine.domains.create({ slug: `moves-${tenants++}`, limits });
	const auth = bearer(apiKey);
	const environment = { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey };
	const videos = async () =>
		((await service.send({ path: "/v1/videos?include=metadata", headers: auth })).json as { data: Video[] }).data;
	return {
		videos,
		auth,
		/** Runs the command, while the service fetches and a worker encodes what comes. */
		async moved(...args: string[]) {
			const run = inProcess(environment, "move", ...args, "--json");
			let isOver = false;
			void run.finally(() => (isOver = true));
			await expect
				.poll(
					async () => {
						await service.engine.sweep();
						for (const { id, state } of await videos())
							if (state === "queued")
								await finish(service, await service.engine.jobs.claimById(worker, id, { worker: "w" }));
						return isOver;
					},
					{ interval: 200 },
				)
				.toBe(true);
			const { code, stdout, stderr } = await run;
			const lines = documents<Told & { report?: object }>(stdout);
			return {
				code,
				stderr,
				report: lines.find(({ report }) => report !== undefined)?.report,
				told: Object.fromEntries(lines.flatMap((line) => (line.report === undefined ? [[line.reference, line]] : []))),
			};
		},
	};
}

it("moves a list with names, captions and chapters, tells why a video failed, and goes on when it is run again", async () => {
	const { moved, videos, auth } = await tenant();
	const text = "WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nGuten Tag\n";
	const captions = origin.serve("/de.vtt", (_, response) => response.end(text));
	await writeFile(join(directory, "cells.fr.vtt"), text.replace("Guten Tag", "Bonjour"));
	const list = join(directory, "list.jsonl");
	const lines = (gone: string) =>
		[
			{
				url: origin.serve("/cells.mp4", file(clip)),
				external_ref: "cells",
				title: "How a cell divides",
				visibility: "public",
				values: { course: "7" },
				captions: [
					{ language: "de", label: "Deutsch", url: captions },
					{ language: "fr", file: "cells.fr.vtt" },
				],
				chapters: [
					{ start_seconds: 0, title: "Beginning" },
					{ start_seconds: 0.5, title: "End" },
				],
			},
			{ url: gone, external_ref: "gone", title: "=1+1" },
			{
				url: origin.serve("/mute.mp4", file(clip)),
				external_ref: "mute",
				captions: [{ language: "de", url: `${origin.url}/none.vtt` }],
			},
			{ url: `${origin.url}/long.mp4`, external_ref: "long", duration_seconds: 3000 },
		]
			.map((line) => JSON.stringify(line))
			.join("\n");
	await writeFile(list, lines(`${origin.url}/gone.mp4?signature=k3J9`));

	const planned = await moved("--from", list, "--dry-run");
	expect(planned).toMatchObject({
		code: 0,
		told: {
			cells: { outcome: "move", captions: ["de", "fr"], title: "How a cell divides", place: "Line 1" },
			long: { outcome: "cannot", message: "It lasts 50 min 0 s, and 3 min 0 s are allowed." },
		},
	});
	expect(await videos()).toEqual([]);

	const first = await moved("--from", list);
	expect(first).toMatchObject({
		code: 1,
		report: { format: "plain", videos: 4, moved: 1, there: 0, failed: 3, left: 0, captions: 2 },
		told: {
			cells: { outcome: "moved", captions: ["de", "fr"], error: null },
			gone: {
				outcome: "failed",
				video_id: null,
				error: "source_refused",
				message: expect.stringContaining("404"),
				advice: expect.stringContaining("make the list anew"),
			},
			mute: {
				outcome: "failed",
				error: "captions_not_put",
				message: expect.stringContaining("de: their address answers 404"),
				advice: expect.stringContaining("the video is here"),
			},
			long: { outcome: "failed", error: "cannot_be_moved", advice: expect.any(String) },
		},
	});
	expect(JSON.stringify(first)).not.toContain("k3J9");
	const cells = (await videos()).find(({ external_ref: reference }) => reference === "cells");
	expect(cells).toMatchObject({
		state: "available",
		visibility: "public",
		metadata: { title: "How a cell divides", values: { course: "7" } },
	});
	const at = `/v1/videos/${cells?.id}`;
	const listed = await service.send({ path: `${at}/captions`, headers: auth });
	expect(listed.json).toMatchObject({ data: [{ language: "de", label: "Deutsch" }, { language: "fr" }] });
	const chapters = await service.send({ path: `${at}/chapters`, headers: auth });
	expect(chapters.json).toMatchObject({ chapters: [{ title: "Beginning" }, { title: "End" }] });

	origin.serve("/none.vtt", (_, response) => response.end(text));
	origin.serve("/gone.mp4", file(clip));
	const asked = origin.asked.length;
	const again = await moved("--from", list);
	expect(again).toMatchObject({
		code: 1,
		report: { moved: 1, there: 2, failed: 1, captions: 1 },
		told: {
			cells: { outcome: "there", video_id: cells?.id, captions: [] },
			gone: { outcome: "moved" },
			mute: { outcome: "there", captions: ["de"] },
		},
	});
	expect(origin.asked.slice(asked).map(({ path }) => path.split("?")[0])).not.toContain("/cells.mp4");
	await writeFile(list, lines(`${origin.url}/gone.mp4?signature=another`).split("\n").slice(0, 3).join("\n"));
	expect(await moved("--from", list)).toMatchObject({
		code: 0,
		report: { moved: 0, there: 3, failed: 0, captions: 0 },
	});
	expect(await videos()).toHaveLength(3);
});

it("creates one video for two runs at once, and stops all where the key is refused or the storage is full", async () => {
	const { moved, videos } = await tenant();
	const full = await tenant({ storage_bytes_limit: 1 });
	const list = join(directory, "once.csv");
	await writeFile(list, `url,external_ref\n${origin.serve("/once.mp4", file(clip))},once\n`);
	const both = await Promise.all([moved("--from", list), moved("--from", list)]);
	expect(both.map(({ code }) => code)).toEqual([0, 0]);
	expect(await videos()).toHaveLength(1);
	const stopped = await full.moved("--from", list);
	expect(stopped).toMatchObject({ code: 1, told: {}, report: { moved: 0, failed: 0, left: 1 } });
	expect(stopped.stderr).toContain("storage_quota_exceeded");
	const refused = await inProcess({ REELMILL_URL: service.url, REELMILL_API_KEY: "ek_no" }, "move", "--from", list);
	expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("(unauthorized)") });
});

it("reads a hundred thousand lines, and names the wrong one", async () => {
	expect(nameLimits).toEqual(metadataLimits);
	const lines = Array.from({ length: 100_000 }, (_, at) => `https://files.example/${at}.mp4,${at},"Video, ${at}"`);
	const list = join(directory, "long.csv");
	await writeFile(list, `url,external_ref,title\n${lines.join("\n")}\nhttps://files.example/0.mp4,x,y\n`);
	const read = readList(list, { format: undefined, origin: undefined, visibility: undefined });
	await expect(read).rejects.toThrow("Line 100002 has the address of line 2.");
});
