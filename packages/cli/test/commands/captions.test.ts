import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimed, openService, type Service } from "../../../http/test/support/open-service.ts";
import { bearer } from "../../../http/test/support/send.ts";
import { finish } from "../support/finished.ts";
import { inProcess } from "../support/reelmill.ts";

let service: Service;
let directory = "";
beforeAll(async () => {
	service = await openService();
	directory = await mkdtemp(join(tmpdir(), "reelmill-cli-"));
});
afterAll(async () => {
	await service.close();
	await rm(directory, { recursive: true });
});

it("captions, chapters, clips and posters are given to a video, listed, printed and taken away", async () => {
	const { apiKey } = await service.tenant();
	const job = await claimed(service, bearer(apiKey));
	await finish(service, job);
	const environment = { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey };
	const run = (...args: string[]) => inProcess(environment, "captions", ...args);
	const file = join(directory, "words.srt");
	await writeFile(file, "1\n00:00:00,000 --> 00:00:00,500\nGuten Tag\n");
	expect(await run("put", job.id, "de", file, "--label", "Deutsch (AT)")).toEqual({
		code: 0,
		stdout: `Video ${job.id} has the captions Deutsch (AT). Players offer them within a minute.\n`,
		stderr: "",
	});
	expect((await run("list", job.id)).stdout).toMatch(
		/^LANGUAGE +LABEL +KIND +FROM[^\n]*\nde +Deutsch \(AT\) +subtitles +you/,
	);
	expect((await run("get", job.id, "de")).stdout).toBe("WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nGuten Tag\n");

	await writeFile(file, "1\n00:00:00,000 --> soon\nGuten Tag\n");
	expect((await run("put", job.id, "de", file)).stderr).toContain("Line 2, cue 1: the times can't be read");
	await writeFile(file, Buffer.from("1\n00:00:00,000 --> 00:00:00,500\nGr\xfc\xdfe\n", "latin1"));
	expect(await run("put", job.id, "de", file)).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("is not in UTF-8"),
	});
	expect((await run("delete", job.id, "de")).stdout).toBe(`The captions of video ${job.id} in de are gone.\n`);
	expect(await run("get", job.id, "de")).toMatchObject({ code: 1 });

	expect((await inProcess(environment, "chapters", "put", job.id, "0=Beginning", "0.5=The = end")).stdout).toBe(
		`Video ${job.id} has 2 chapters.\n`,
	);
	expect((await inProcess(environment, "chapters", "get", job.id)).stdout).toMatch(
		/^START +TITLE\n0 +Beginning\n0.5 +The = end/,
	);
	expect(await inProcess(environment, "chapters", "put", job.id, "soon")).toMatchObject({ code: 2 });
	expect((await inProcess(environment, "chapters", "delete", job.id)).stdout).toBe(
		`The chapters of video ${job.id} are gone.\n`,
	);

	const clips = (...args: string[]) => inProcess(environment, "clips", ...args);
	expect((await clips("create", job.id, "0:00.25", "1", "--title", "The end")).stdout).toMatch(
		/^Clip [0-9a-f-]{36} is uploaded\.\n$/,
	);
	expect((await clips("list", job.id)).stdout).toMatch(
		/^ID +TITLE +STATE +FROM +TO[^\n]*\n[0-9a-f-]{36} +The end +\S+ +0\.25 +1 /,
	);
	expect(await clips("create", job.id, "soon", "1")).toMatchObject({ code: 2 });
	expect((await clips("create", job.id, "0", "60")).stderr).toContain("end_seconds: the video lasts 1.000 s");

	const poster = (...args: string[]) => inProcess(environment, "poster", ...args);
	expect((await poster("get", job.id)).stdout).toContain("It was chosen automatically.");
	expect((await poster("put", job.id, "--at", "0.5")).stdout).toBe(
		`The poster of video ${job.id} is being made. Viewers see it within a minute.\n`,
	);
	expect((await poster("get", job.id)).stdout).toContain("Another one is being made. It is the frame at 0.5 s.");
	expect(await poster("put", job.id, file)).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("neither a JPEG, nor a PNG, nor a WebP"),
	});
	for (const wrong of [[], [file, "--at", "1"], [file, "--preview"], ["--at", "soon"]])
		expect(await poster("put", job.id, ...wrong)).toMatchObject({ code: 2 });
	expect((await poster("delete", job.id)).stdout).toBe(
		`Video ${job.id} has the poster that was chosen automatically.\n`,
	);
});
