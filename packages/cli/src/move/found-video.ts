/** Captions as a list names them: text lies at an address, or in a file beside the list. */
export type FoundCaptions = {
	readonly language: string | undefined;
	readonly label?: string | undefined;
	readonly kind?: "captions" | "subtitles" | undefined;
} & ({ readonly url: string } | { readonly file: string });

/** What a format's reader finds in one video of a list. */
export type FoundVideo = {
	/** The other system's id of the video; undefined if it isn't one of this format. */
	readonly id: string | undefined;
	/** Where the file is; or why there is no address, and what to do. */
	readonly file: { readonly url: string } | { readonly cannot: string };
	readonly title?: string | undefined;
	/** Undefined if the domain's default decides. */
	readonly visibility?: "private" | "public" | undefined;
	readonly seconds?: number | undefined;
	readonly bytes?: number | undefined;
	readonly contentType?: string | undefined;
	readonly uploaderRef?: string | undefined;
	/** What else is kept of it, by key: numbers become texts; undefined and empty ones are left out. */
	readonly values?: Readonly<Record<string, unknown>>;
	readonly captions?: readonly FoundCaptions[];
	readonly chapters?: readonly { readonly start_seconds: number; readonly title: string }[];
	/** What is wrong with the line itself: a list with such a line is refused as a whole. */
	readonly wrong?: string | undefined;
	/** What can't come along, in sentences. */
	readonly notes?: readonly string[];
};
