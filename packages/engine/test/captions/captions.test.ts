import { setImmediate } from "node:timers/promises";
import type { CheckStep } from "@reelmill/contracts";
import { createEngine, type Database } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";
import { finishWith, wholeOutputs } from "../support/whole-outputs.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const words = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;
const tag = (uri: string, attributes: string) =>
	`#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",${attributes},URI="${uri}"\n`;
const set = (uri: string, attributes: string, role: string, label: string) =>
	`    <AdaptationSet contentType="text" mimeType="text/vtt"${attributes}>\n      <Label>${label}</Label>\n      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="${role}"/>\n      <Representation id="x" bandwidth="1">\n        <BaseURL>${uri}</BaseURL>\n      </Representation>\n    </AdaptationSet>\n`;
const spoken = 'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog"';

/** Outputs with a transcript, German subtitles and forced ones, as the transcoder writes them. */
const captioned: Readonly<Record<string, string>> = {
	...wholeOutputs,
	"hls/master.m3u8": (wholeOutputs["hls/master.m3u8"] as string)
		.replace(
			"#EXT-X-STREAM-INF",
			`${tag("captions.m3u8", `NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,${spoken}`)}${tag("captions_2.m3u8", 'NAME="Untertitel",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO')}${tag("captions_3.m3u8", 'NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES')}#EXT-X-STREAM-INF`,
		)
		.replace('AUDIO="audio"\n', 'AUDIO="audio",SUBTITLES="captions",CLOSED-CAPTIONS=NONE\n'),
	...Object.fromEntries(
		["captions", "captions_2", "captions_3"].map((name) => [
			`hls/${name}.m3u8`,
			`#EXTM3U\n#EXT-X-TARGETDURATION:8\n#EXTINF:7.640000,\n../${name === "captions" ? "transcript" : name.replace("_", "/")}.vtt\n#EXT-X-ENDLIST\n`,
		]),
	),
	"dash/manifest.mpd": `<?xml version="1.0" encoding="UTF-8"?>\n<MPD mediaPresentationDuration="PT7.640S">\n  <Period>\n    <AdaptationSet contentType="video">\n      <Representation codecs="avc1.64001f" width="1280" height="720">\n        <BaseURL>../media/h264_720.mp4</BaseURL>\n        <SegmentBase indexRange="1-2"><Initialization range="0-1"/></SegmentBase>\n      </Representation>\n    </AdaptationSet>\n${set("../transcript.vtt", ' lang="en"', "caption", "English")}  </Period>\n</MPD>\n`,
	"transcript.vtt": words("made"),
	"captions/2.vtt": words("gemacht"),
	"captions/3.vtt": words("Schild"),
};

async function available(files = captioned, status: "available" | "disabled" | "unavailable" = "available") {
	const { video } = await uploadVideo(opened, tenant.principal, {
		visibility: "public",
		transcript: status !== "disabled",
	});
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	await finishWith(opened.engine, job, files, {
		transcript_status: status,
		language: status === "available" ? "en" : null,
	});
	return video.id;
}
const put = (
	id: string,
	language: string,
	text: string,
	more: { label?: string; kind?: "captions" | "subtitles" } = {},
) => opened.engine.captions.put(tenant.principal, id, { language, text, ...more });
const list = async (id: string) => (await opened.engine.captions.list(tenant.principal, id)).data;
const textOf = async (id: string, language: string) =>
	Buffer.from(await opened.engine.captions.get(tenant.principal, id, language)).toString();
const serve = (id: string, path: string) => opened.engine.serving.open({ videoId: id, path, authorization: null });
const served = async (id: string, path: string) =>
	Buffer.concat(await Array.fromAsync(await (await serve(id, path)).read())).toString();
const stored = async (id: string) =>
	(await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/${id}/edits/`))).map(({ key }) =>
		key.slice(key.indexOf("/edits/") + 44),
	);

describe("the captions of a finished video", () => {
	it("are those of its file and its transcript, until they are changed", async () => {
		const id = await available();
		const url = `https://video.example/videos/${id}`;
		expect(await list(id)).toEqual([
			{
				language: "en",
				label: "English",
				kind: "captions",
				source: "transcript",
				forced: false,
				transcript: true,
				url: `${url}/transcript.vtt`,
			},
			{
				language: "de",
				label: "Untertitel",
				kind: "subtitles",
				source: "file",
				forced: false,
				transcript: false,
				url: `${url}/captions/2.vtt`,
			},
			{
				language: "de",
				label: "Deutsch",
				kind: "subtitles",
				source: "file",
				forced: true,
				transcript: false,
				url: `${url}/captions/3.vtt`,
			},
		]);
		expect(await textOf(id, "de")).toBe(words("gemacht"));
		await expect(textOf(id, "fr")).rejects.toMatchObject({ code: "not_found" });
		expect((await serve(id, "hls/master.m3u8")).isAdded).toBe(false);
	});

	it("are listed by HLS and DASH as soon as they are sent, and a transcript that is corrected stays one", async () => {
		const id = await available();
		const before = (await opened.engine.usage.get(tenant.principal)).storage_bytes;
		await put(id, "fr", words("bonjour"), { label: "Français (Québec)" });
		const made = await put(id, "en", words("corrected"));
		const url = `https://video.example/videos/${id}`;
		expect(made).toEqual({
			language: "en",
			label: "English",
			kind: "captions",
			source: "upload",
			forced: false,
			transcript: true,
			url: `${url}/captions/en.2.vtt?v=2`,
		});

		const master = await served(id, "hls/master.m3u8");
		expect(master.match(/TYPE=SUBTITLES.*$/gm)).toEqual([
			`TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,${spoken},URI="captions_en.2.m3u8"`,
			'TYPE=SUBTITLES,GROUP-ID="captions",NAME="Untertitel",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions_2.m3u8"',
			'TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI="captions_3.m3u8"',
			'TYPE=SUBTITLES,GROUP-ID="captions",NAME="Français (Québec)",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions_fr.1.m3u8"',
		]);
		const others = (text: string) => text.split("\n").filter((line) => !line.includes("TYPE=SUBTITLES"));
		expect(others(master)).toEqual(others(captioned["hls/master.m3u8"] as string));
		expect(await served(id, "hls/captions_fr.1.m3u8")).toContain("../captions/fr.1.vtt\n");
		expect(await served(id, "captions/fr.1.vtt")).toBe(words("bonjour"));
		const manifest = await served(id, "dash/manifest.mpd");
		expect(manifest.match(/<BaseURL>.*vtt/g)).toEqual(
			["captions/en.2.vtt", "captions/2.vtt", "captions/3.vtt", "captions/fr.1.vtt"].map(
				(path) => `<BaseURL>../${path}`,
			),
		);
		expect(manifest).toContain("<Label>Français (Québec)</Label>");

		expect(await served(id, "transcript.vtt")).toBe(words("corrected"));
		expect(await opened.engine.transcripts.get(tenant.principal, id)).toMatchObject({
			status: "available",
			text: "corrected",
			language: "en",
		});
		expect(await opened.engine.videos.get(tenant.principal, id)).toMatchObject({
			transcript_url: `${url}/transcript.vtt?v=2`,
			outputs: {
				hls_url: `${url}/hls/master.m3u8?v=2`,
				dash_url: `${url}/dash/manifest.mpd?v=2`,
				mp4_url: `${url}/web.mp4`,
			},
		});
		expect((await serve(id, "hls/master.m3u8")).isAdded).toBe(true);
		const row = await opened.engine.usage.get(tenant.principal);
		expect(row.storage_bytes).toBeGreaterThan(before);
		const found = await checked({ deep: true });
		expect(found).toEqual([]);

		// A second call with the same is none.
		expect(await put(id, "en", words("corrected"))).toEqual(made);
		// What players of before may still read goes an hour later.
		expect(await stored(id)).toHaveLength(4 + 5);
		opened.clock.advance(3_601_000);
		await opened.engine.sweep();
		expect(await stored(id)).toHaveLength(2 + 5);
		expect(await checked({ deep: true })).toEqual([]);
		expect(await served(id, "captions/fr.1.vtt")).toBe(words("bonjour"));
	});

	it("are taken away in one language, the transcript with them, and forced ones stay", async () => {
		const id = await available();
		const { storage_bytes: before } = await opened.engine.usage.get(tenant.principal);
		await opened.engine.captions.delete(tenant.principal, id, "de");
		await opened.engine.captions.delete(tenant.principal, id, "en");
		await expect(opened.engine.captions.delete(tenant.principal, id, "en")).rejects.toMatchObject({
			code: "not_found",
		});
		expect((await list(id)).map(({ label, forced }) => [label, forced])).toEqual([["Deutsch", true]]);
		expect(await opened.engine.videos.get(tenant.principal, id)).toMatchObject({
			transcript_status: "disabled",
			transcript_url: null,
		});
		await expect(serve(id, "transcript.vtt")).rejects.toMatchObject({ code: "not_found" });
		await expect(serve(id, "captions/2.vtt")).rejects.toMatchObject({ code: "not_found" });
		expect((await opened.engine.usage.get(tenant.principal)).storage_bytes).toBeLessThan(before);
		expect(await checked({ deep: true })).toEqual([]);
		await opened.engine.videos.delete(tenant.principal, id);
		expect(await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/${id}/`))).toEqual([]);
		expect((await opened.engine.usage.get(tenant.principal)).storage_bytes).toBe(0);
	});

	it("list a transcript that is made late, which its tenant hears of, and keep it from others in its language", async () => {
		await opened.engine.domains.updateConfig(tenant.domain.id, {
			webhook_url: "https://hooks.example/",
			webhook_secret: "s".repeat(32),
		});
		opened.receiver.answer = () =>
			({ status: 200, error: null, headers: [["service-events", "video.updated"]] }) as never;
		const late = async (id: string) => {
			await opened.engine.transcripts.request(tenant.domain.id);
			const job = await opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
			await finishWith(
				opened.engine,
				job,
				{ "transcript.vtt": words("late") },
				{ transcript_status: "available", language: "en" },
			);
		};
		const id = await available(wholeOutputs, "unavailable");
		const { storage_bytes: before } = await opened.engine.usage.get(tenant.principal);
		await late(id);
		expect(await list(id)).toMatchObject([{ language: "en", source: "transcript", transcript: true }]);
		expect(await served(id, "hls/master.m3u8")).toContain('URI="captions.m3u8"');
		expect(await served(id, "hls/captions.m3u8")).toContain("\n../transcript.vtt\n");
		expect(await opened.engine.videos.get(tenant.principal, id)).toMatchObject({ transcript_status: "available" });
		expect((await opened.engine.usage.get(tenant.principal)).storage_bytes).toBeGreaterThan(before);
		expect(await checked({ deep: true })).toEqual([]);

		const captionedAlready = await available(wholeOutputs, "unavailable");
		await put(captionedAlready, "en", words("mine"));
		await late(captionedAlready);
		expect(await list(captionedAlready)).toMatchObject([{ language: "en", source: "upload", transcript: false }]);
		expect(await served(captionedAlready, "transcript.vtt")).toBe(words("late"));
		// Copies in a bucket's public folder are made anew for it.
		const { transcript_url } = await opened.engine.videos.get(tenant.principal, captionedAlready);
		expect(transcript_url).toMatch(/\/transcript\.vtt\?v=2$/);
		expect(await checked({ deep: true })).toEqual([]);
		const told = await opened.database.query<{ type: string; body: Uint8Array }>({
			text: "select type, body from reelmill.webhook_deliveries where type = 'video.updated' order by id",
			values: [],
		});
		expect(told.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data.changed)).toEqual(
			told.map(() => ["captions"]),
		);
	});

	it("can be given to a video that has none, and taken away again", async () => {
		const id = await available(wholeOutputs, "disabled");
		expect(await list(id)).toEqual([]);
		expect(await put(id, "und", words("hello"), { kind: "captions" })).toMatchObject({
			language: "und",
			label: "Captions",
			kind: "captions",
		});
		const told = "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound";
		expect(await served(id, "hls/master.m3u8")).toContain(
			`LANGUAGE="und",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="${told}"`,
		);
		expect(await served(id, "hls/master.m3u8")).toContain('AUDIO="audio",SUBTITLES="captions"\n');
		expect(await opened.engine.videos.get(tenant.principal, id)).toMatchObject({
			transcript_status: "disabled",
			transcript_url: null,
		});
		await opened.engine.captions.delete(tenant.principal, id, "und");
		expect(await served(id, "hls/master.m3u8")).toBe(wholeOutputs["hls/master.m3u8"]);
	});

	it("are changed of available videos of one's own alone, and by one at a time", async () => {
		const id = await available();
		const other = await opened.tenant();
		await expect(opened.engine.captions.list(other.principal, id)).rejects.toMatchObject({ code: "video_not_found" });
		const { video } = await uploadVideo(opened, tenant.principal);
		await expect(put(video.id, "de", words("a"))).rejects.toMatchObject({ code: "invalid_state" });
		await expect(put(id, "de", "nonsense")).rejects.toMatchObject({ code: "validation_error" });
		expect(await stored(id)).toEqual([]);

		// As many as a program sends at once that moves a video here, and those of a second server.
		const second = createEngine(opened.options);
		const sent = ["ar", "cs", "de", "es", "fr", "it", "ja", "nl"];
		await Promise.all(
			sent.map((language, n) =>
				(n % 3 === 0 ? second : opened.engine).captions.put(tenant.principal, id, { language, text: words(language) }),
			),
		);
		await second.stop();
		const languages = (await list(id)).filter(({ forced }) => !forced).map(({ language }) => language);
		expect(languages.toSorted()).toEqual([...sent, "en"].toSorted());
		for (const language of sent) expect(await textOf(id, language)).toBe(words(language));
		expect(await checked({ deep: true })).toEqual([]);
	});

	it("are put once while the title changes", async () => {
		const id = await available();
		const folders = new Set<string>();
		const outputs: typeof opened.outputs = {
			...opened.outputs,
			async put(key, ...given) {
				folders.add(key.split("/").slice(0, 4).join("/"));
				await opened.engine.metadata.set(tenant.principal, id, { title: key.slice(-99), values: {} });
				return opened.outputs.put(key, ...given);
			},
		};
		const server = createEngine({ ...opened.options, outputs });
		await server.captions.put(tenant.principal, id, { language: "da", text: words("rettet") });
		expect(await textOf(id, "da")).toBe(words("rettet"));
		expect(folders.size).toBe(1);
		expect(await checked({ deep: true })).toEqual([]);
	});

	it("are as before or changed whole when a server is killed at any step, and nothing stays behind", async () => {
		for (let step = 0; ; step += Number(process.env["REELMILL_KILLED_STEPS"] ?? 4)) {
			const id = await available();
			const { engine, done } = mortal(step);
			const outcome = await engine.captions.put(tenant.principal, id, { language: "de", text: words("neu") }).then(
				() => "put",
				() => "killed",
			);
			await setImmediate();
			const label = (await list(id)).map((track) => track.source)[1];
			expect(await textOf(id, "de")).toBe(label === "upload" ? words("neu") : words("gemacht"));
			if (outcome === "put") expect(label).toBe("upload");
			expect(await checked({ deep: true })).toEqual([]);
			opened.clock.advance(86_401_000);
			await opened.engine.sweep();
			expect(await stored(id)).toHaveLength(label === "upload" ? 4 : 0);
			expect(await checked({ deep: true })).toEqual([]);
			if (outcome === "put" && !done()) break;
		}
	});
});

/** Runs the whole check and returns what it found. */
async function checked(request: { deep?: boolean }) {
	const problems: unknown[] = [];
	for (let cursor: string | null = null; ; ) {
		const step: CheckStep = await opened.engine.check.step({
			...request,
			young: true,
			...(cursor !== null && { cursor }),
		});
		problems.push(...step.differences);
		cursor = step.cursor;
		if (cursor === null) return problems;
	}
}

/** A server that dies before the step of this number: a statement, or a file that is put. */
function mortal(step: number) {
	let begun = 0;
	const live = async <T>(work: () => Promise<T>): Promise<T> => {
		if (begun++ >= step) throw new Error("killed");
		return work();
	};
	const database: Database = {
		...opened.options.database,
		query: (statement) => live(() => opened.options.database.query(statement)),
	};
	const outputs = {
		...opened.outputs,
		put: (key: string, bytes: AsyncIterable<Uint8Array>) => live(() => opened.outputs.put(key, bytes)),
	};
	return { engine: createEngine({ ...opened.options, database, outputs }), done: () => begun > step };
}
