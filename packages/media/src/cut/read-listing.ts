import { posix } from "node:path";
import { languageName } from "@reelmill/contracts/captions";
import type { CaptionTrack } from "../package/caption-track.ts";
import type { HeardTrack } from "../package/name-sounds.ts";
import type { SoundKind } from "../types.ts";

/** A track of sound as a finished video's playlists or manifest name it. */
type ListedSound = Omit<HeardTrack, "track"> & { readonly name: string };
/** What a finished video has beside its pictures. */
export type Listing = { readonly sounds: readonly ListedSound[]; readonly captions: readonly CaptionTrack[] };

type Attributes = Readonly<Record<string, string | undefined>>;

const mediaTag = "#EXT-X-MEDIA:";
const inPlaylists = /(?<=^|,)([A-Z-]+)=(?:"([^"]*)"|([^,"]*))/g;
const inManifests = /(?<= )([A-Za-z]+)="([^"]*)"/g;

const attributesOf = (text: string, pattern: RegExp): Attributes =>
	Object.fromEntries([...text.matchAll(pattern)].map(([, name, quoted, plain]) => [name, quoted ?? plain]));

const known = (language: string | undefined): string | null =>
	language === undefined || language === "und" ? null : language;

/** Returns a title; `null` if it is only the name of the language. */
function titleOf(name: string | undefined, language: string | null, usual: string): string | null {
	return name === undefined || name === (languageName(language) ?? usual) ? null : name;
}

/** The tracks of sound in the order of a listing: those of 5.1 are of the same streams as the ones before. */
function numbered(sounds: readonly Omit<ListedSound, "index">[]): ListedSound[] {
	const streams = [...new Set(sounds.map(({ name }) => name.replace(/_5_1$/, "")))];
	const unique = sounds.filter(({ name }, n) => sounds.findIndex((one) => one.name === name) === n);
	return unique.map((sound) => ({ ...sound, index: streams.indexOf(sound.name.replace(/_5_1$/, "")) }));
}

const caption = (path: string, language: string | null, title: string | null) => ({
	...{ path, language, title },
	// The sound's language is listed with the sound.
	...{ isHeard: false, isSpoken: false, tellsSounds: false, isForced: false },
});

const channelsOf = (value: string | undefined): 1 | 2 | 6 => (value === "1" ? 1 : value === "6" ? 6 : 2);

const kindsInPlaylists: readonly (readonly [string, SoundKind])[] = [
	["describes-video", "description"],
	["enhances-speech-intelligibility", "clear_speech"],
	["auxiliary-content", "commentary"],
];

/** Returns the text of an output. */
type ReadText = (file: string) => Promise<string>;

/** Reads what the master playlist of outputs lists. */
async function readMaster(read: ReadText, file: string): Promise<Listing> {
	const text = await read(file);
	const media = text
		.split("\n")
		.flatMap((line): Attributes[] =>
			line.startsWith(mediaTag) ? [attributesOf(line.slice(mediaTag.length), inPlaylists)] : [],
		);
	const ofType = (type: string) => media.filter(({ TYPE }) => TYPE === type);
	const sounds = ofType("AUDIO").map(({ NAME, LANGUAGE, CHANNELS, CHARACTERISTICS = "", URI = "" }) => {
		const kind = kindsInPlaylists.find(([word]) => CHARACTERISTICS.includes(word))?.[1];
		const language = known(LANGUAGE);
		const title = titleOf(NAME, language, "Audio");
		const name = posix.basename(URI, ".m3u8");
		return { name, language, title, channels: channelsOf(CHANNELS), ...(kind && { kind }) };
	});
	const captions = ofType("SUBTITLES").map(async ({ NAME, LANGUAGE, FORCED, CHARACTERISTICS = "", URI = "" }) => {
		const playlist = `${posix.dirname(file)}/${posix.basename(URI)}`;
		const lines = (await read(playlist)).split("\n");
		const address = lines.find((line) => line !== "" && !line.startsWith("#")) ?? "";
		const path = posix.join(posix.dirname(playlist), address.split("?")[0] as string);
		const language = known(LANGUAGE);
		return {
			...caption(path, language, titleOf(NAME, language, "Captions")),
			isForced: FORCED === "YES",
			isSpoken: CHARACTERISTICS.includes("transcribes-spoken-dialog"),
			tellsSounds: CHARACTERISTICS.includes("describes-music-and-sound"),
		};
	});
	return { sounds: numbered(sounds), captions: await Promise.all(captions) };
}

const kindsInManifests: Readonly<Record<string, SoundKind>> = {
	description: "description",
	"enhanced-audio-intelligibility": "clear_speech",
	commentary: "commentary",
};

/** Reads what the manifest of outputs lists. */
async function readManifest(read: ReadText, file: string): Promise<Listing> {
	const text = await read(file);
	const sets = text
		.split("<AdaptationSet")
		.slice(1)
		.map((part) => {
			const [set = "", ...elements] = (part.split("</AdaptationSet")[0] as string).split("<");
			const of = (name: string) => elements.filter((one) => one.startsWith(name));
			const textOf = (name: string) => of(`${name}>`)[0]?.slice(name.length + 1);
			const { lang, contentType } = attributesOf(set, inManifests);
			return {
				...{ type: contentType, language: known(lang), label: textOf("Label") },
				roles: of("Role ").map((one) => attributesOf(one, inManifests).value ?? ""),
				channels: channelsOf(attributesOf(of("AudioChannelConfiguration ")[0] ?? "", inManifests).value),
				address: textOf("BaseURL")?.split("?")[0] ?? "",
			};
		});
	const sounds = sets.filter(({ type }) => type === "audio");
	return {
		sounds: numbered(
			sounds.map(({ address, language, label, roles, channels }) => {
				const kind = roles.map((role) => kindsInManifests[role]).find((one) => one !== undefined);
				const title = titleOf(label, language, "Audio");
				return { name: posix.basename(address, ".m4a"), language, title, channels, ...(kind && { kind }) };
			}),
		),
		captions: sets
			.filter(({ type }) => type === "text")
			.map(({ address, language, label, roles }) => ({
				...caption(posix.join(posix.dirname(file), address), language, titleOf(label, language, "Captions")),
				isForced: roles.includes("forced-subtitle"),
				isSpoken: roles.includes("caption"),
			})),
	};
}

/**
 * Reads which sounds and captions a finished video has, from its master playlist or else its manifest. What is listed
 * but isn't one of the outputs is left out: no address leads to another file of the machine.
 * @param files the video's outputs
 */
export async function readListing(read: ReadText, files: readonly string[]): Promise<Listing> {
	const [master, manifest] = ["hls/master.m3u8", "dash/manifest.mpd"];
	const { sounds, captions } = await (files.includes(master) ? readMaster : readManifest)(
		read,
		files.includes(master) ? master : manifest,
	);
	return {
		sounds: sounds.filter(({ name }) => files.includes(`media/${name}.m4a`)),
		captions: captions.filter(({ path }) => files.includes(path)),
	};
}
