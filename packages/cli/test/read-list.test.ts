import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadOptions, readList } from "../src/move/read-list.ts";

let directory = "";
let files = 0;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-lists-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function read(text: string | object, options: Partial<ReadOptions> = {}) {
	const path = join(directory, `list-${files++}`);
	await writeFile(path, typeof text === "string" || Buffer.isBuffer(text) ? text : JSON.stringify(text));
	return readList(path, { format: undefined, origin: undefined, visibility: undefined, ...options });
}
async function one(list: string | object, options?: Partial<ReadOptions>) {
	const { format, videos } = await read(list, options);
	expect(videos).toHaveLength(1);
	return { format, ...videos[0] };
}
const cannotOf = async (list: object, options?: Partial<ReadOptions>) => (await one(list, options)).input;

describe("a list of Mux", () => {
	const asset = {
		id: "a1",
		status: "ready",
		duration: 23.87,
		passthrough: "lesson 1",
		meta: { title: "Cells", external_id: "bio-7" },
		master_access: "temporary",
		playback_ids: [
			{ id: "signed1", policy: "signed" },
			{ id: "public1", policy: "public" },
		],
		master: { status: "ready", url: "https://master.mux.com/a1/master.mp4?skid=1" },
		tracks: [
			{ type: "video", id: "v1" },
			{ type: "text", text_type: "subtitles", id: "t1", status: "ready", language_code: "en-US", name: "English" },
			{ type: "text", text_type: "subtitles", id: "t2", status: "ready", language_code: "de", closed_captions: true },
			{ type: "text", text_type: "subtitles", id: "t3", status: "preparing", language_code: "fr" },
		],
	};

	it("gives the master, names, visibility and the captions that are ready", async () => {
		expect(await one({ data: [asset] })).toEqual({
			format: "mux",
			place: "Video 1",
			reference: "a1",
			title: "Cells",
			input: {
				url: "https://master.mux.com/a1/master.mp4?skid=1",
				external_ref: "a1",
				title: "Cells",
				visibility: "public",
				duration_seconds: 23,
				values: { passthrough: "lesson 1", external_id: "bio-7" },
			},
			captions: [
				{ language: "en-US", label: "English", kind: undefined, url: "https://stream.mux.com/public1/text/t1.vtt" },
				{ language: "de", label: undefined, kind: "captions", url: "https://stream.mux.com/public1/text/t2.vtt" },
			],
			chapters: [],
			notes: [],
		});
	});

	it("gives the largest static rendition without a master, and says what to ask for without both", async () => {
		const { master: _, ...without } = asset;
		const file = (name: string, height: number, status = "ready") => ({
			name,
			ext: "mp4",
			width: height * 2,
			height,
			status,
		});
		const renditions = [file("720p.mp4", 720), file("1080p.mp4", 1080), file("2160p.mp4", 2160, "preparing")];
		expect((await one({ ...without, static_renditions: { files: renditions } })).input).toMatchObject({
			url: "https://stream.mux.com/public1/1080p.mp4",
		});
		expect(await cannotOf(without)).toMatchObject({ cannot: expect.stringContaining("master-access") });
		expect(await cannotOf({ ...asset, status: "errored" })).toMatchObject({ cannot: "It is errored." });
		expect(await cannotOf({ ...asset, is_live: true })).toMatchObject({ cannot: "It is live." });
		const closed = await one({ ...asset, playback_ids: [{ id: "signed1", policy: "signed" }] });
		expect(closed).toMatchObject({ input: { visibility: "private" }, captions: [] });
		expect(closed.notes).toEqual([expect.stringContaining("no public address")]);
	});
});

it("a list of Cloudflare Stream gives the download, or says that it has none", async () => {
	const video = {
		uid: "c1",
		readyToStream: true,
		requireSignedURLs: false,
		status: { state: "ready" },
		meta: { name: "Cells", course: 7 },
		creator: "ada",
		duration: 12.5,
		playback: { hls: "https://customer-1.cloudflarestream.com/c1/manifest/video.m3u8" },
	};
	expect(await one({ result: [video], success: true })).toMatchObject({
		format: "cloudflare",
		reference: "c1",
		input: {
			url: "https://customer-1.cloudflarestream.com/c1/downloads/default.mp4",
			title: "Cells",
			values: { creator: "ada", course: "7" },
			visibility: "public",
		},
	});
	const closed = { ...video, requireSignedURLs: true };
	expect(await cannotOf(closed)).toMatchObject({ cannot: expect.stringContaining("downloads") });
	const url = "https://customer-1.cloudflarestream.com/TOKEN/downloads/default.mp4";
	const captions = { result: [{ language: "tr", label: "Türkçe", file: "c1.tr.vtt" }, { language: "de" }] };
	const added = await one({ ...closed, downloads: { default: { status: "ready", url } }, captions });
	expect(added).toMatchObject({ input: { url, visibility: "private" } });
	expect(added.captions).toEqual([{ language: "tr", label: "Türkçe", kind: undefined, file: "c1.tr.vtt" }]);
	expect(added.notes).toEqual([expect.stringContaining("neither")]);
	const made = { ...video, downloads: { default: { status: "inprogress", url, percentComplete: 40 } } };
	expect(await cannotOf(made)).toMatchObject({ cannot: expect.stringContaining("40 %") });
	expect(await cannotOf({ ...video, readyToStream: false, status: { state: "queued" } })).toMatchObject({
		cannot: "It is queued.",
	});
});

it("a list of Bunny needs its origin, and gives the original or the largest MP4, captions and chapters", async () => {
	const video = {
		videoLibraryId: 1,
		guid: "b1",
		title: "Cells",
		status: 4,
		length: 60,
		hasOriginal: true,
		hasMP4Fallback: true,
		availableResolutions: "240p,720p,1080p,2160p",
		collectionId: "",
		captions: [{ srclang: "en", label: "English", version: 1 }],
		chapters: [{ title: "Begin", start: 0, end: 30 }],
	};
	await expect(read({ items: [video] })).rejects.toThrow("--origin");
	const options = { origin: "https://vz-1.b-cdn.net" };
	expect(await one({ items: [video] }, options)).toMatchObject({
		format: "bunny",
		input: { url: "https://vz-1.b-cdn.net/b1/original", external_ref: "b1", title: "Cells", duration_seconds: 60 },
		captions: [{ language: "en", label: "English", url: "https://vz-1.b-cdn.net/b1/captions/en.vtt" }],
		chapters: [{ start_seconds: 0, title: "Begin" }],
	});
	expect(await cannotOf({ ...video, hasOriginal: false }, options)).toMatchObject({
		url: "https://vz-1.b-cdn.net/b1/play_1080p.mp4",
	});
	const neither = { ...video, hasOriginal: false, hasMP4Fallback: false };
	expect(await cannotOf(neither, options)).toMatchObject({ cannot: expect.stringContaining("neither") });
	expect(await cannotOf({ ...video, status: 5 }, options)).toMatchObject({ cannot: expect.any(String) });
});

it("a list of Vimeo gives the source file, and its text tracks if they were added", async () => {
	const video = {
		uri: "/videos/17:a1b2",
		name: "Cells",
		status: "available",
		duration: 60,
		privacy: { view: "unlisted" },
		tags: [{ name: "biology" }, { name: "cells" }],
		download: [
			{ quality: "hd", height: 2160, link: "https://player.vimeo.com/hd" },
			{ quality: "source", height: 1080, link: "https://player.vimeo.com/source" },
		],
		metadata: { connections: { texttracks: { uri: "/videos/17/texttracks", total: 1 } } },
	};
	expect(await one({ total: 1, data: [video] })).toMatchObject({
		format: "vimeo",
		reference: "17",
		input: { url: "https://player.vimeo.com/source", visibility: "public", values: { tags: "biology, cells" } },
		notes: [expect.stringContaining("texttracks")],
	});
	const track = {
		type: "captions",
		language: "en-x-autogen",
		display_language: "English",
		link: "https://vimeo/1.vtt",
	};
	const added = await one({ ...video, texttracks: { data: [track, { ...track, type: "chapters" }] } });
	expect(added.captions).toEqual([{ language: "en", label: "English", kind: "captions", url: "https://vimeo/1.vtt" }]);
	expect(await cannotOf({ ...video, privacy: { view: "nobody" }, download: [] })).toMatchObject({
		cannot: expect.stringContaining("video_files"),
	});
});

it("a list of api.video gives the MP4, its token too, and what was said of the video", async () => {
	const video = {
		videoId: "vi1",
		title: "Cells",
		public: false,
		tags: ["a", "b"],
		metadata: [{ key: "course", value: "7" }],
		assets: { mp4: "https://vod.api.video/vod/vi1/token/t/mp4/source.mp4" },
		captions: { data: [{ srclang: "fr", src: "https://vod.api.video/vod/vi1/captions/fr.vtt", default: true }] },
	};
	expect(await one({ data: [video], pagination: {} })).toMatchObject({
		format: "api-video",
		reference: "vi1",
		input: { url: video.assets.mp4, visibility: "private", values: { tags: "a, b", course: "7" } },
		captions: [{ language: "fr", url: "https://vod.api.video/vod/vi1/captions/fr.vtt" }],
	});
	expect(await cannotOf({ ...video, assets: {} })).toMatchObject({ cannot: expect.stringContaining("mp4Support") });
});

it("an export of PeerTube gives the largest file that has sound, captions of the archive, and chapters", async () => {
	const file = (resolution: number, name: string) => ({ resolution, fileUrl: `https://tube.example/${name}` });
	const video = {
		uuid: "p1",
		name: "Cells",
		privacy: 1,
		duration: 60,
		isLive: false,
		url: "https://tube.example/w/p1",
		channel: { name: "biology" },
		tags: [],
		captions: [{ language: "de", fileUrl: "https://tube.example/de.vtt" }],
		chapters: [{ timecode: 5, title: "Mitosis" }],
		files: [file(720, "720.mp4"), file(1080, "1080.mp4")],
		streamingPlaylists: [{ files: [file(1080, "hls-1080.mp4")] }],
		archiveFiles: { captions: { de: "../files/videos/captions/p1-de.vtt" } },
	};
	expect(await one({ videos: [video] })).toMatchObject({
		format: "peertube",
		reference: "p1",
		input: { url: "https://tube.example/1080.mp4", visibility: "public", values: { channel: "biology" } },
		captions: [{ language: "de", file: "../files/videos/captions/p1-de.vtt" }],
		chapters: [{ start_seconds: 5, title: "Mitosis" }],
	});
	const streamed = { ...video, files: [] };
	expect(await cannotOf(streamed)).toMatchObject({ url: "https://tube.example/hls-1080.mp4" });
	const split = { ...streamed, streamingPlaylists: [{ files: [file(1080, "v.mp4"), file(0, "a.mp4")] }] };
	expect(await cannotOf(split)).toMatchObject({ cannot: expect.stringContaining("two files") });
	expect(await cannotOf({ ...video, privacy: 3 })).toMatchObject({ cannot: expect.stringContaining("to few") });
});

describe("a list of one's own", () => {
	const line = (name: string, more = {}) => JSON.stringify({ url: `https://files.example/${name}.mp4?s=1`, ...more });

	it("is lines of JSON, or a CSV with the same names, which mean the same", async () => {
		const json = line("a", {
			external_ref: "a",
			title: "Cells, part 1",
			visibility: "public",
			captions: [{ language: "de", url: "https://files.example/a.de.vtt" }],
			values: { course: "7" },
		});
		const csv = [
			"\uFEFFurl;external_ref;title;visibility;captions.de;captions.fr;values.course",
			'https://files.example/a.mp4?s=1;a;"Cells, part 1";public;https://files.example/a.de.vtt;;7',
		].join("\r\n");
		for (const encoding of ["latin1", "utf16le"] as const)
			await expect(read(Buffer.from(csv.replace("Cells", "Gr\u00fc\u00dfe"), encoding))).rejects.toThrow(
				"is not in UTF-8",
			);
		const [fromJson, fromCsv] = await Promise.all([one(json), one(csv)]);
		expect(fromCsv).toEqual({ ...fromJson, place: "Line 2" });
		expect(fromJson).toMatchObject({
			format: "plain",
			input: {
				url: "https://files.example/a.mp4?s=1",
				external_ref: "a",
				title: "Cells, part 1",
				visibility: "public",
			},
			captions: [{ language: "de", url: "https://files.example/a.de.vtt" }],
		});
	});

	it("has the address without its query as the reference, and one visibility for all if that is asked", async () => {
		const { videos } = await read(`${line("a")}\n\n${line("b")}\n`, { visibility: "private" });
		expect(videos.map(({ reference, place }) => [reference, place])).toEqual([
			["https://files.example/a.mp4", "Line 1"],
			["https://files.example/b.mp4", "Line 3"],
		]);
		expect(videos[0]?.input).toMatchObject({ visibility: "private" });
	});

	it("is refused as a whole, with each line that is wrong", async () => {
		const wrong = [
			line("a", { external_ref: "a" }),
			JSON.stringify({ external_ref: "b" }),
			line("c", { external_ref: "a" }),
			line("a", { external_ref: "d" }),
			line("e", { external_ref: "e", visibility: "secret" }),
			JSON.stringify({ url: "file:///etc/passwd", external_ref: "f" }),
			JSON.stringify({ url: `https://files.example/${"g".repeat(2048)}`, external_ref: "g" }),
		].join("\n");
		const lines = [
			"Line 2 has no address",
			"Line 3 has the id of line 1.",
			"Line 4 has the address of line 1.",
			"Line 5: its visibility is neither public nor private.",
			"Line 6 has no address",
			"Line 7 has no address",
		];
		const refused = read(wrong, { format: "plain" });
		for (const text of lines) await expect(refused).rejects.toThrow(text);
		await expect(read("url,external_ref\nhttps://files.example/a.mp4,a\n,b\n")).rejects.toThrow(
			"Line 3 has no address",
		);
		await expect(read("url,title\nhttps://files.example/a.mp4\n")).rejects.toThrow(/no CSV: .*line 2/);
		await expect(read('url\n"https://files.example/a.mp4\n')).rejects.toThrow("no CSV");
		await expect(read("url,titel\nhttps://files.example/a.mp4,a\n")).rejects.toThrow('"titel"');
		await expect(read("url,url\na,b\n")).rejects.toThrow("each column once");
		await expect(read("https://files.example/a.mp4\n")).rejects.toThrow("each column once");
		await expect(read(`${line("a")}\n{"url":\n`)).rejects.toThrow("Line 2 of");
		await expect(read('{\n"url":\n')).rejects.toThrow("is no JSON");
		await expect(read("[1]")).rejects.toThrow("Video 1 of");
		await expect(read("")).rejects.toThrow("has no video");
		await expect(read("url\n")).rejects.toThrow("has no video");
		await expect(read({ data: [{ id: "x", src: "y" }] })).rejects.toThrow("has the fields id, src");
		await expect(
			readList(join(directory, "none"), { format: undefined, origin: undefined, visibility: undefined }),
		).rejects.toThrow("There is no file");
	});

	it("keeps what people wrote, in one line of a length that the service takes, and tells what it cut", async () => {
		const formula = '=HYPERLINK("https://evil.example","Cells")';
		const { videos } = await read(
			[
				line("a", { title: formula }),
				line("b", { title: `${"x".repeat(198)}😀${"y".repeat(10_000)}` }),
				line("c", {
					title: "two\nlines\u001b[31m",
					values: { __proto__: 1, long: "v".repeat(501), ["k".repeat(41)]: "1" },
				}),
				line("d", { values: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key-${at}`, at])) }),
				line("e", {
					captions: ["de", "de_AT", "de", "klingon speech"].map((language) => ({
						language,
						label: 'A "<b>"',
						file: "a.vtt",
					})),
				}),
			].join("\n"),
		);
		expect(videos.map(({ title }) => title)).toEqual([
			formula,
			`${"x".repeat(198)}…`,
			"two lines [31m",
			undefined,
			undefined,
		]);
		expect(videos.map(({ notes }) => notes)).toEqual([
			[],
			["Its title is cut to 200 characters."],
			[expect.stringContaining("1 of its values"), "Its value long is cut to 500 characters."],
			[expect.stringContaining("10 of its values")],
			["It has several captions in de: the first ones come along."],
		]);
		expect(videos[4]?.captions.map(({ language, label }) => [language, label])).toEqual([
			["de", "A b"],
			["de-AT", "A b"],
			["und", "A b"],
		]);
	});
});
