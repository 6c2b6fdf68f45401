import * as z from "zod";
import { limits } from "../limits.ts";
import { canonicalOrigin } from "../origins.ts";
import { Id, page, Slug, Timestamp } from "./common.ts";

/** The names of renditions, such as `h264_720`. */
export const renditionNames = ["h264_720", "h264_1080", "av1_720", "av1_1080"] as const;
/** The name of a rendition: its codec and its height in pixels. */
export const RenditionName = z.enum(renditionNames);
export type RenditionName = z.infer<typeof RenditionName>;
/** The values of `Visibility`. */
export const visibilities = ["private", "public"] as const;
/** Who may play a video: anyone, or those with a playback key. */
export const Visibility = z.enum(visibilities);
export type Visibility = z.infer<typeof Visibility>;

const Renditions = z
	.array(RenditionName)
	.min(1)
	.refine((names) => new Set(names).size === names.length, "must not repeat an item")
	.meta({ uniqueItems: true });
const Origin = z
	.string()
	.max(255)
	.regex(/^https?:\/\//);
const corsOrigins = {
	description:
		"Origins, such as https://example.com, whose pages may play and upload; none allows every origin. They are compared by scheme, host and port.",
};
const outputs = {
	hls: z.boolean().meta({ description: "Playlists and segments for players (HLS)." }),
	dash: z.boolean().meta({ description: "A DASH manifest over the same segments." }),
	mp4_fallback: z.boolean().meta({ description: "web.mp4, for players without streaming; outros are appended to it." }),
	og_thumbnail: z.boolean().meta({ description: "og.jpg, a picture for link previews." }),
};

const fields = {
	max_file_bytes: z.int().min(1).max(limits.maxFileBytes).meta({
		description: "The largest file that may be uploaded, in bytes.",
	}),
	max_duration_seconds: z.int().min(1).max(limits.maxDurationSeconds).meta({
		description: "The longest video that may be uploaded, in seconds.",
	}),
	renditions: Renditions.meta({
		description: "What new videos are encoded to. A rendition larger than its source is left out.",
	}),
	transcript: z
		.boolean()
		.meta({ description: "Whether new videos get a transcript, unless their upload says otherwise." }),
	moderation_frames: z
		.boolean()
		.meta({ description: "Whether frames of new videos are kept for your own moderation." }),
	max_concurrent_pending_per_uploader: z.int().min(1).max(10).meta({
		description: "How many uploads one uploader_ref may have pending at once.",
	}),
	cors_origins: z.array(Origin).max(limits.corsOrigins).meta(corsOrigins),
	default_visibility: Visibility.meta({
		description:
			"Who may watch new videos unless their upload says otherwise: whoever has a playback key, or everyone.",
	}),
	default_outro_slug: Slug.nullable().meta({
		description: "The outro of new videos that name none; null for no outro.",
	}),
	webhook_url: z.string().max(500).nullable().meta({ description: "Where events are sent; null for nowhere." }),
};

/** What a tenant chooses for its domain, with every default filled in. */
export const DomainConfig = z.object({
	...fields,
	outputs: z.object(outputs).meta({ description: "What is made of each new video." }),
});
export type DomainConfig = z.infer<typeof DomainConfig>;

/** A merge patch (RFC 7396): arrays replace, `outputs` merges. Only nullable fields take null. */
export const DomainConfigPatch = z
	.strictObject({
		...fields,
		// What a domain has listed from before may be no origin: it is answered, and allows nobody.
		cors_origins: z
			.array(Origin.refine((text) => canonicalOrigin(text) !== null, "must be an origin: scheme, host and port alone"))
			.max(limits.corsOrigins)
			.meta(corsOrigins),
		outputs: z
			.strictObject(outputs)
			.partial()
			.meta({ description: "The outputs to switch; the others stay as they are. At least one must be on." }),
		webhook_secret: z
			.string()
			.max(100)
			.regex(/^whsec_/)
			.nullable()
			.meta({
				description:
					"The secret that signs events, `whsec_` and what you choose, at most 100 characters; null for none. It is never answered.",
			}),
	})
	.partial()
	.refine((patch) => Object.keys(patch).length > 0, "at least one property is required")
	.meta({ minProperties: 1 });
export type DomainConfigPatch = z.infer<typeof DomainConfigPatch>;

/** What a domain's configuration says unless its tenant chose otherwise. */
export const domainConfigDefaults: DomainConfig = {
	max_file_bytes: limits.maxFileBytes,
	max_duration_seconds: 180,
	renditions: [...renditionNames],
	outputs: { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true },
	transcript: false,
	moderation_frames: false,
	max_concurrent_pending_per_uploader: 1,
	cors_origins: [],
	default_visibility: "private",
	default_outro_slug: null,
	webhook_url: null,
};

/** What the operator allows a domain: counts, bytes and seconds. */
export const DomainLimits = z.object({
	daily_upload_bytes: z
		.int()
		.min(0)
		.meta({ description: "Bytes that may be uploaded in one UTC day; pending uploads count." }),
	storage_bytes_limit: z.int().min(0).meta({
		description:
			"Holds what is uploaded. Outputs count too and may pass it; then initiates are refused until something is deleted.",
	}),
	max_concurrent_processing: z
		.int()
		.min(1)
		.max(1_000_000)
		.meta({ description: "Videos that may be in the queue or with workers at once; the others wait as `uploaded`." }),
});
export type DomainLimits = z.infer<typeof DomainLimits>;

/** A tenant's domain. */
export const Domain = z.object({
	id: Id.meta({ description: "The domain's id." }),
	slug: z.string().meta({ description: "The domain's name in addresses." }),
	config: DomainConfig.meta({ description: "What the tenant chose." }),
	limits: DomainLimits.meta({ description: "What the operator allows the domain." }),
	key_last4: z.string().meta({ description: "The last four characters of its current key." }),
	webhook_secret_set: z.boolean().meta({ description: "Whether events are signed: without a secret none is sent." }),
	previous_webhook_secret_expires_at: Timestamp.nullable().meta({
		description: "Until when deliveries carry the signature of the secret before as well; null if they don't.",
	}),
	created_at: Timestamp,
});
export type Domain = z.infer<typeof Domain>;

/** One page of domains, newest first. */
export const DomainPage = page(Domain);
