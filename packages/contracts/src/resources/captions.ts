import * as z from "zod";

/** What captions are for. */
export const captionKinds = ["captions", "subtitles"] as const;
/** What captions have: `captions` what is said and heard, in the language of the sound; `subtitles` a translation. */
export const CaptionKind = z.enum(captionKinds);
export type CaptionKind = z.infer<typeof CaptionKind>;

/** Where captions came from: the uploaded file, the transcriber, or a call of yours. */
export const CaptionSource = z.enum(["file", "transcript", "upload"]);
export type CaptionSource = z.infer<typeof CaptionSource>;

const noTag = "must be a language tag, such as de, pt-BR or und";

/**
 * The language of captions in a path: a tag of RFC 5646, which becomes its shortest form (`deu` is `de`), or `und` for
 * one that isn't known.
 */
export const CaptionLanguage = z
	.string()
	.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/, { error: noTag, abort: true })
	.overwrite(shortestTag)
	.refine((tag) => tag !== "", { error: noTag })
	.meta({
		description:
			"The language as a tag of RFC 5646, such as `de` or `pt-BR`. `und` stands for captions whose language isn't known.",
		examples: ["de"],
	});

function shortestTag(tag: string): string {
	try {
		return Intl.getCanonicalLocales(tag)[0] ?? "";
	} catch {
		return "";
	}
}

/** What viewers choose captions by. */
export const CaptionLabel = z
	.string()
	.min(1)
	.max(60)
	.refine((label) => !/["<>&\p{C}\p{Zl}\p{Zp}]/u.test(label) && label.trim() !== "", {
		message: 'May not have ", <, >, & or control characters',
	})
	.meta({
		description:
			"What viewers choose them by, 1 to 60 characters without `\"`, `<`, `>`, `&` and control characters. Left out: as before, or the language's name in that language.",
		examples: ["Deutsch (Österreich)"],
	});

/** Captions or subtitles of a video, as players offer them. */
export const Captions = z.object({
	language: z
		.string()
		.meta({ description: "The language as a tag of RFC 5646; `und` if it isn't known.", examples: ["de"] }),
	label: z.string().meta({ description: "What viewers choose them by. Each of a video's captions has another one." }),
	kind: CaptionKind,
	source: CaptionSource,
	forced: z.boolean().meta({
		description:
			"Whether they have only what every viewer is shown, such as the translation of a sign. Those of the uploaded file alone may be; no call changes them.",
	}),
	transcript: z.boolean().meta({ description: "Whether they are the video's transcript, at `transcript_url`." }),
	url: z.url().meta({ description: "The WebVTT file on the delivery plane, for instance for a track of a page." }),
});
export type Captions = z.infer<typeof Captions>;

/** The captions of a video, in the order in which players offer them. */
export const CaptionsList = z.object({
	data: z.array(Captions).meta({ description: "All of them: a video has at most 48." }),
});
export type CaptionsList = z.infer<typeof CaptionsList>;

/** The text of captions: WebVTT or SubRip. */
export const CaptionsText = z.string().min(1, "the file is empty").meta({ description: "WebVTT or SubRip." });
