type Words = { readonly label: string; readonly hint?: string };

/** What people call the settings, and what they mean. A setting of a newer contract has its path and its description. */
export const configWords: Readonly<Record<string, Words>> = {
	renditions: {
		label: "Renditions",
		hint: "The sizes and codecs of new videos. One that is larger than the uploaded file is left out.",
	},
	"outputs.hls": { label: "Streaming (HLS)", hint: "What players stream in most browsers and apps." },
	"outputs.dash": {
		label: "Streaming (DASH)",
		hint: "A second manifest of the same stream, for players that need it.",
	},
	"outputs.mp4_fallback": {
		label: "MP4 file",
		hint: "One file of the whole video, for players without streaming. Outros are at its end.",
	},
	"outputs.og_thumbnail": { label: "Preview picture", hint: "A picture for lists and for links in messages." },
	transcript: {
		label: "Transcripts",
		hint: "Write down what is said in new videos, unless their upload says otherwise.",
	},
	moderation_frames: { label: "Moderation frames", hint: "Keep pictures of new videos for your moderators." },
	default_outro_slug: {
		label: "Default outro",
		hint: "The outro of new videos that don't name one. Leave it empty for none.",
	},
	default_visibility: {
		label: "Who may watch",
		hint: "Private: with a playback key. Public: everyone who has the address. An upload may choose otherwise.",
	},
	cors_origins: {
		label: "Sites that may play and upload",
		hint: "Write origins such as https://example.com. If the list is empty, every site may.",
	},
	max_file_bytes: { label: "Largest upload", hint: "The largest file that may be uploaded, such as 200 MiB." },
	max_duration_seconds: { label: "Longest video", hint: "The longest video that may be uploaded, in seconds." },
	max_concurrent_pending_per_uploader: {
		label: "Unfinished uploads per uploader",
		hint: "How many uploads of the same uploader may be unfinished at once.",
	},
};
