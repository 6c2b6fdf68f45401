/** What was said from one moment to another. */
export type Cue = { readonly startSeconds: number; readonly endSeconds: number; readonly text: string };

export type Transcription = {
	/** In the order of their starts. Empty where nothing was said. */
	readonly cues: readonly Cue[];
	/** ISO 639-1, in lower case; null where it isn't known. */
	readonly language: string | null;
	/** From 0, a guess, to 1, certain; null where the program doesn't say. */
	readonly confidence: number | null;
};

export type TranscribeOptions = {
	readonly signal?: AbortSignal | undefined;
	/** Give up after so many seconds of wall clock. */
	readonly maxSeconds?: number | undefined;
};

/** Makes text of speech. May be called several times at once. */
export type Transcriber = {
	/** For reports and logs. */
	readonly name: string;
	/**
	 * Transcribes a WAV file of 16,000 Hz, one channel, 16 bits. Times count from the file's start. MUST reject where it
	 * can't, and with the signal's reason once that aborts; whatever it started MUST be gone by then. The file stays as
	 * it is.
	 */
	transcribe(wav: string, options: TranscribeOptions): Promise<Transcription>;
};

const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/**
 * ISO 639-1 of a language tag such as `en-GB` or `eng`; null of anything else. A code that was replaced, such as
 * Whisper's `jw`, becomes the one that stands for it now.
 */
export function languageCode(tag: unknown): string | null {
	if (typeof tag !== "string" || tag.length > 100) return null;
	const [given = ""] = tag.trim().toLowerCase().split(/[-_]/);
	if (!/^[a-z]{2,3}$/.test(given)) return null;
	const code = [new Intl.Locale(given).language, given].find(({ length }) => length === 2);
	return code !== undefined && languageNames.of(code) !== undefined ? code : null;
}
