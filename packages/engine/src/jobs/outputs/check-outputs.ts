import { type CompleteRequest, type JobPlan, ReelmillError } from "@reelmill/contracts";
import {
	isOfOpening,
	leadsTo,
	longestPlaylist,
	type MasterPlaylist,
	type MediaPlaylist,
	type Part,
	readManifest,
	readMasterPlaylist,
	readMediaPlaylist,
	UnreadableText,
} from "../../playlists/index.ts";
import { isInBox } from "./check-media.ts";

/** Stored outputs and the worker's statements about them. */
export type MadeOutputs = {
	readonly plan: JobPlan;
	/** Sizes in bytes, by path. */
	readonly files: Readonly<Record<string, number>>;
	readonly media: CompleteRequest["media"];
	readonly renditions: CompleteRequest["outputs"]["renditions"];
	/** Returns the text of a file, or null if the storage gives no bytes. */
	readonly read: (path: string, largest: number) => Promise<string | null>;
};

/** Tracks are planned as long as the source. Each may end some frames earlier or later. */
const durationMargin = (seconds: number): number => 1 + seconds / 100;

function lie(path: string, what: string, missing = path): ReelmillError {
	return new ReelmillError("outputs_incomplete", { message: `${path} ${what}.`, extras: { missing: [missing] } });
}

/**
 * Checks that outputs can be what the worker says: no file is empty, and everything that the playlists, the manifest
 * and the storyboard refer to is there, with the durations, sizes and byte ranges that they name. It doesn't look at
 * pictures.
 *
 * @throws {ReelmillError} `outputs_incomplete` with the path that is wrong.
 */
export async function checkOutputs(made: MadeOutputs): Promise<void> {
	const { files, media, read } = made;
	for (const [path, size] of Object.entries(files)) if (size === 0) throw lie(path, "is empty");
	if (media.transcript_status === "available" && !Object.hasOwn(files, "transcript.vtt"))
		throw lie("transcript.vtt", "is said to be there, and isn't");
	const text = async (path: string, from = path): Promise<string | null> => {
		const size = Object.hasOwn(files, path) ? (files[path] as number) : null;
		if (size === null) throw lie(from, `leads to ${path}, which isn't there`, path);
		if (size > longestPlaylist) throw lie(path, `has ${size} bytes, more than any that is needed`);
		return read(path, longestPlaylist);
	};
	await Promise.all([
		checkHls(made, text),
		checkOpening(made, text),
		checkDash(made, text),
		checkStoryboard(made, text),
	]);
}

type Text = (path: string, from?: string) => Promise<string | null>;

async function checkHls(made: MadeOutputs, text: Text): Promise<void> {
	const path = "hls/master.m3u8";
	if (!Object.hasOwn(made.files, path)) return;
	const master = await parsed(path, text, readEntry);
	if (master === null) return;
	if ("segments" in master) {
		if (made.renditions.length > 1) throw lie(path, `leads to one rendition of ${made.renditions.length}`);
		return checkSegments(made, path, master);
	}
	for (const { codecs, width, height } of master.variants) {
		if (!isInBox(made.plan, { codec: codecOf(codecs), width, height }))
			throw lie(path, `has a rendition of ${width}x${height} (${codecs.slice(0, 50)}), which nobody asked for`);
	}
	for (const { name, codec, width, height } of made.renditions) {
		const isThere = master.variants.some(
			(variant) => codecOf(variant.codecs) === codec && variant.width === width && variant.height === height,
		);
		if (!isThere) throw lie(path, `doesn't lead to the rendition ${name}`);
	}
	for (const uri of master.data) checkPart(made, path, uri, null);
	const playlists = [...new Set([...master.variants.map(({ uri }) => uri), ...master.others])];
	await Promise.all(playlists.map((uri) => checkMediaPlaylist(made, text, leadsTo(path, uri), path)));
}

/** Reads the playlist that a player begins with: a master playlist, or the playlist of the only rendition. */
const readEntry = (text: string): MasterPlaylist | MediaPlaylist =>
	text.includes("\n#EXTINF:") ? readMediaPlaylist(text) : readMasterPlaylist(text);

async function checkMediaPlaylist(made: MadeOutputs, text: Text, path: string, from: string): Promise<void> {
	const playlist = await parsed(path, text, readMediaPlaylist, from);
	if (playlist !== null) checkSegments(made, path, playlist);
}

/** A sound whose rest could not be decoded ends with the opening, so the playlists' durations are not compared. */
async function checkOpening(made: MadeOutputs, text: Text): Promise<void> {
	const playlists = Object.keys(made.files).filter((path) => isOfOpening(path) && path.endsWith(".m3u8"));
	await Promise.all(
		playlists.map(async (path) => {
			const playlist = await parsed(path, text, readMediaPlaylist);
			if (playlist !== null) checkParts(made, path, playlist);
		}),
	);
}

function checkSegments(made: MadeOutputs, path: string, playlist: MediaPlaylist): void {
	checkParts(made, path, playlist);
	checkDuration(
		made,
		path,
		playlist.segments.reduce((sum, { seconds }) => sum + seconds, 0),
	);
}

function checkParts(made: MadeOutputs, path: string, { map, segments, target }: MediaPlaylist): void {
	if (map !== null) checkPart(made, path, map.uri, map.part);
	for (const segment of segments) {
		checkPart(made, path, segment.uri, segment.part);
		if (Math.round(segment.seconds) > target)
			throw lie(path, `has a segment of ${segment.seconds} s, longer than its target duration`);
	}
}

async function checkDash(made: MadeOutputs, text: Text): Promise<void> {
	const path = "dash/manifest.mpd";
	if (!Object.hasOwn(made.files, path)) return;
	const manifest = await parsed(path, text, readManifest);
	if (manifest === null) return;
	checkDuration(made, path, manifest.seconds);
	for (const { uri, codecs, width, height, parts } of manifest.representations) {
		for (const part of parts === null ? [null] : [parts.index, parts.initialisation]) checkPart(made, path, uri, part);
		if (width === null && height === null) continue;
		const size = { codec: codecOf(codecs), width: width ?? 0, height: height ?? 0 };
		if (!isInBox(made.plan, size))
			throw lie(path, `has a rendition of ${width}x${height} (${codecs.slice(0, 50)}), which nobody asked for`);
	}
}

async function checkStoryboard(made: MadeOutputs, text: Text): Promise<void> {
	const path = "storyboard.vtt";
	if (!Object.hasOwn(made.files, path)) return;
	const cues = await text(path);
	const sheets = new Set(
		(cues ?? "")
			.split("\n")
			.flatMap((line) => (line.includes("#xywh=") ? [line.slice(0, line.indexOf("#xywh="))] : [])),
	);
	for (const sheet of sheets)
		if (!Object.hasOwn(made.files, leadsTo(path, sheet)))
			throw lie(path, `leads to ${sheet.slice(0, 100)}, which isn't there`, leadsTo(path, sheet));
}

async function parsed<T>(path: string, text: Text, parse: (text: string) => T, from = path): Promise<T | null> {
	const found = await text(path, from);
	try {
		return found === null ? null : parse(found);
	} catch (error) {
		if (error instanceof UnreadableText) throw lie(path, error.message);
		throw error;
	}
}

/** Throws unless the file is there and contains the part. A part of null means the whole file. */
function checkPart({ files }: MadeOutputs, path: string, uri: string, part: Part | null): void {
	const target = leadsTo(path, uri);
	if (!Object.hasOwn(files, target)) throw lie(path, `leads to ${target.slice(0, 200)}, which isn't there`, target);
	const size = files[target] as number;
	if (part === null) return;
	if (part.length === 0 || part.offset + part.length > size) {
		throw lie(
			path,
			`leads to the bytes from ${part.offset} to ${part.offset + part.length} of ${target}, which has ${size}`,
			target,
		);
	}
}

function checkDuration({ media: { duration_seconds: duration } }: MadeOutputs, path: string, seconds: number): void {
	if (Math.abs(seconds - duration) > durationMargin(duration))
		throw lie(path, `lasts ${Math.round(seconds * 1000) / 1000} s, the video ${duration} s`);
}

const codecOf = (codecs: string): "h264" | "av1" | null =>
	codecs.startsWith("avc1.") ? "h264" : codecs.startsWith("av01.") ? "av1" : null;
