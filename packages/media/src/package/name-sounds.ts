import { freeName, languageName } from "@reelmill/contracts/captions";
import type { Track } from "../mp4/track.ts";
import type { PlannedSound } from "../plan/encode-plan.ts";
import { soundKindNames } from "../source/sound-kinds.ts";
import type { SoundKind } from "../types.ts";
import type { CaptionTrack } from "./caption-track.ts";

/** A finished track of sound, and what is known of it. */
export type HeardTrack = Pick<PlannedSound, "index" | "channels" | "language" | "title" | "kind"> & {
	readonly track: Track;
};

/** A track of sound as viewers choose it. */
export type NamedSound = {
	readonly track: Track;
	readonly channels: number;
	/**
	 * The title of the source's track, or its language's name in that language with what the sound is for. Each track has
	 * another one.
	 */
	readonly name: string;
	/** The shortest tag of RFC 5646; `null` if it isn't known. */
	readonly language: string | null;
	readonly title: string | null;
	/** `undefined` for ordinary sound. */
	readonly kind: SoundKind | undefined;
	/** Whether it is the sound of the source that plays by default: stereo and 5.1 alike. */
	readonly isDefault: boolean;
	/**
	 * Whether a player may choose it by the viewer's language, or by what the viewer's device is set to for people who
	 * see or hear badly: no track before it has the same language and kind. Nothing but the viewer chooses a commentary.
	 */
	readonly isAutomatic: boolean;
};

/** The kinds that a device may be set to. */
const accessible: readonly SoundKind[] = ["description", "clear_speech"];

/**
 * Names the sounds of a video. `heard` is the language in which the transcript of the sound that plays by default was
 * heard, which stands over what the source says; `null` if there is none.
 */
export function nameSounds(sounds: readonly HeardTrack[], heard: string | null): NamedSound[] {
	const streams = new Map<number, Omit<NamedSound, "track" | "channels" | "title">>();
	for (const { index, title, language: said, kind } of sounds) {
		if (streams.has(index)) continue;
		const isDefault = streams.size === 0;
		const language = (isDefault ? heard : null) ?? said;
		const before = [...streams.values()];
		const usual = languageName(language) ?? "Audio";
		const base = title ?? (kind === undefined ? usual : `${usual} (${soundKindNames[kind]})`);
		const name = freeName(base, new Set(before.map((one) => one.name)));
		const isFirst = language !== null && before.every((one) => one.language !== language || one.kind !== kind);
		const isAutomatic = isDefault || (isFirst && (kind === undefined || accessible.includes(kind)));
		streams.set(index, { name, language, kind, isDefault, isAutomatic });
	}
	return sounds.map(({ index, track, channels, title }) => {
		const stream = streams.get(index) as Exclude<ReturnType<typeof streams.get>, undefined>;
		return { track, channels, title, ...stream };
	});
}

/** Returns the language of the captions that were heard in the sound that plays by default; `null` if none were. */
export const heardLanguage = (captions: readonly CaptionTrack[]): string | null =>
	captions.find(({ isHeard }) => isHeard)?.language ?? null;

/** The sounds that play beside one picture. A player offers those of one group. */
export type SoundGroup = { readonly id: string; readonly sounds: readonly NamedSound[] };

/**
 * Groups sounds as Apple asks for: stereo for every device, and 5.1 for those that can play it. Each group has all
 * tracks of the source, so a track without 5.1 is in both.
 */
export function groupSounds(sounds: readonly NamedSound[]): SoundGroup[] {
	const [plain, surround] = [
		sounds.filter(({ channels }) => channels <= 2),
		sounds.filter(({ channels }) => channels > 2),
	];
	if (plain.length === 0) return [];
	const richest = plain.map((sound) => surround.find(({ name }) => name === sound.name) ?? sound);
	return [{ id: "audio", sounds: plain }, ...(surround.length === 0 ? [] : [{ id: "audio_5_1", sounds: richest }])];
}
