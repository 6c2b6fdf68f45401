/** What was said from one moment to another. Seconds count from the start of the file. */
export type Cue = { readonly startSeconds: number; readonly endSeconds: number; readonly text: string };

/** What a transcriber understood. */
export type Transcription = {
	/** In the order of their starts. Empty if nothing was said. */
	readonly cues: readonly Cue[];
	/** ISO 639-1 in lower case; `null` if it isn't known. */
	readonly language: string | null;
	/** From 0 (a guess) to 1 (certain); `null` if the program doesn't say. */
	readonly confidence: number | null;
};

/** What a transcriber is given: the sound, a directory, and what ends it. */
export type TranscribeOptions = {
	readonly signal?: AbortSignal | undefined;
	/** How many seconds of wall clock the transcriber may take (default: no limit). */
	readonly maxSeconds?: number | undefined;
};

/** Turns speech into text. It may be called several times at once. */
export type Transcriber = {
	/** The name that reports and logs show. */
	readonly name: string;
	/**
	 * Transcribes a WAV file of 16,000 Hz, one channel and 16 bits, and leaves the file as it is. It MUST reject if it
	 * can't transcribe, and with the signal's reason once the signal aborts. All that it started MUST be gone when the
	 * promise settles.
	 */
	transcribe(wav: string, options: TranscribeOptions): Promise<Transcription>;
	/**
	 * Rejects if what it needs, such as a model, is gone. It is quick: it loads nothing (default: nothing can be gone).
	 */
	check?(): Promise<void>;
};

const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/**
 * Returns the ISO 639-1 code of a language tag such as `en-GB` or `eng`; `null` for anything else. A code that was
 * replaced, such as Whisper's `jw`, becomes the code that is valid now.
 */
export function languageCode(tag: unknown): string | null {
	if (typeof tag !== "string" || tag.length > 100) return null;
	const [given = ""] = tag.trim().toLowerCase().split(/[-_]/);
	if (!/^[a-z]{2,3}$/.test(given)) return null;
	const code = [new Intl.Locale(given).language, given].find(({ length }) => length === 2);
	return code !== undefined && languageNames.of(code) !== undefined ? code : null;
}
