import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";
import { finishWith, wholeOutputs } from "../support/whole-outputs.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const chapter = (start_seconds: number, title: string) => ({ start_seconds, title });

it("chapters are those of the file until others are put, and HLS leads to them as session data", async () => {
	const { video } = await uploadVideo(opened, tenant.principal, { visibility: "public" });
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	const ofFile = "WEBVTT\n\n00:00:00.000 --> 00:00:03.500\nA &amp; B\n\n00:00:03.500 --> 00:00:07.640\n2\n";
	await finishWith(opened.engine, job, { ...wholeOutputs, "chapters.vtt": ofFile });
	const { chapters } = opened.engine;
	const url = `https://video.example/videos/${video.id}/chapters.vtt`;
	const put = (...given: ReturnType<typeof chapter>[]) => chapters.put(tenant.principal, video.id, given);
	const served = async (path: string) => {
		const file = await opened.engine.serving.open({ videoId: video.id, path, authorization: null });
		return Buffer.concat(await Array.fromAsync(await file.read())).toString();
	};
	expect(await chapters.get(tenant.principal, video.id)).toEqual({
		chapters: [chapter(0, "A & B"), chapter(3.5, "2")],
		url,
	});

	const given = [chapter(0.5, "<b>One</b>"), chapter(2, "Zwei \u{1f680}")];
	expect(await put(...given)).toEqual({ chapters: given, url: `${url}?v=1` });
	expect(await put(...given)).toEqual({ chapters: given, url: `${url}?v=1` });
	expect(await chapters.get(tenant.principal, video.id)).toEqual({ chapters: given, url: `${url}?v=1` });
	expect(await opened.engine.videos.get(tenant.principal, video.id)).toMatchObject({
		outputs: { chapters_url: `${url}?v=1` },
	});
	expect(await served("chapters.vtt")).toBe(
		"WEBVTT\n\n00:00:00.500 --> 00:00:02.000\n&lt;b&gt;One&lt;/b&gt;\n\n00:00:02.000 --> 00:00:07.640\nZwei \u{1f680}\n",
	);
	expect(JSON.parse(await served("chapters.json"))).toEqual([
		{ chapter: 1, "start-time": 0.5, duration: 1.5, titles: [{ language: "und", title: "<b>One</b>" }] },
		{ chapter: 2, "start-time": 2, duration: 5.64, titles: [{ language: "und", title: "Zwei \u{1f680}" }] },
	]);
	const tag = '#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="../chapters.json?v=1"\n';
	expect(await served("hls/master.m3u8")).toBe(
		(wholeOutputs["hls/master.m3u8"] as string).replace("#EXT-X-MEDIA", `${tag}#EXT-X-MEDIA`),
	);
	// An edit of something else keeps them.
	const text = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nhello\n";
	await opened.engine.captions.put(tenant.principal, video.id, { language: "de", text });
	expect(await served("hls/master.m3u8")).toContain(tag);
	// What can't be seen, and turns the text of the menu around, is left out as it is of captions.
	expect(await put(chapter(1, " \u202eEins "))).toMatchObject({ chapters: [chapter(1, "Eins")] });
	expect(await served("hls/master.m3u8")).toContain('URI="captions_de.2.m3u8"');
	expect((await served("hls/master.m3u8")).match(/SESSION-DATA.*/g)).toEqual([
		'SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="../chapters.json?v=3"',
	]);

	for (const [wrong, message] of [
		[[chapter(2, "a"), chapter(2, "b")], "chapters.1.start_seconds: must be after 2"],
		[[chapter(7.64, "a")], "chapters.0.start_seconds: the video lasts 7.640 s"],
	] as const)
		await expect(put(...wrong)).rejects.toMatchObject({ code: "validation_error", message });

	await chapters.delete(tenant.principal, video.id);
	expect(await chapters.get(tenant.principal, video.id)).toEqual({ chapters: [], url: null });
	expect(await served("hls/master.m3u8")).not.toContain("SESSION-DATA");
	await expect(chapters.delete(tenant.principal, video.id)).rejects.toMatchObject({ code: "not_found" });
	const step = await opened.engine.check.step({ young: true });
	expect(step.differences).toEqual([]);
});
