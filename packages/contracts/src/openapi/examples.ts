import type * as z from "zod";
import type { OperationName } from "../api.ts";
import type { ErrorExtras } from "../error-extras.ts";
import { errors } from "../errors.ts";
import { askedEventsHeader, webhookHeaders } from "../events.ts";
import { exampleVideo } from "../example-video.ts";
import { domainLimitDefaults } from "../limits.ts";
import { consoleHeaders } from "../resources/console.ts";
import { domainConfigDefaults } from "../resources/domain.ts";
import { mostCounted, videoStates } from "../resources/video.ts";
import { testEventType, testVideoId } from "../resources/webhook-event.ts";
import { warnings } from "../warnings.ts";
import type { NamedSchemas } from "./named-schemas.ts";

type Examples = { readonly [Name in keyof NamedSchemas]: z.input<NamedSchemas[Name]> };

/** The webhook secret of all examples. It is nobody's, and says so: in base64 it reads "nobodys secret". */
export const nobodysWebhookSecret = "whsec_bm9ib2R5cyBzZWNyZXQ";

const id = "5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10";
const otherId = "0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21";
const at = "2026-01-31T12:00:00.000Z";
const later = "2026-01-31T13:00:00.000Z";
const soonAfter = "2026-01-31T13:00:30.000Z";
const midnight = "2026-02-01T00:00:00.000Z";
const origin = "https://video.acme.test";
const key = "ek_3vQy7n8mB2kP5sT9wXzR4cF6gH1jL0dN8aE5uV7yM2q";
const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

const checkCursor = "WyJsb2NhbCIsIm91dHB1dHMiLCIiXQ";
const nextCheckCursor = "WyJsb2NhbCIsIm91dHB1dHMiLCJhIl0";
const cursor = "eyJhdCI6IjIwMjYtMDEtMzEifQ";
const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const config = {
	...domainConfigDefaults,
	outputs: { ...domainConfigDefaults.outputs, dash: true },
	cors_origins: ["https://acme.test"],
	default_outro_slug: "spring",
	webhook_url: "https://acme.test/hooks/video",
};
const rendition = { name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 1_850_000 } as const;
const outputs = {
	hls_url: `${origin}/videos/${id}/hls/master.m3u8`,
	dash_url: `${origin}/videos/${id}/dash/manifest.mpd`,
	mp4_url: `${origin}/videos/${id}/web.mp4`,
	thumbnail_url: `${origin}/videos/${id}/og.jpg`,
	poster_url: `${origin}/videos/${id}/poster.jpg`,
	storyboard_url: `${origin}/videos/${id}/storyboard.vtt`,
	chapters_url: `${origin}/videos/${id}/chapters.vtt`,
	web_mp4_outro_id: otherId,
	renditions: [rendition],
};
const video = {
	id,
	state: "available",
	progress: 100,
	visibility: "private",
	content_type: "video/mp4",
	file_size: 12_345_678,
	duration_seconds: 42.125,
	width: 1280,
	height: 720,
	external_ref: "order-1234",
	uploader_ref: "user-42",
	outro_id: otherId,
	transcript_status: "available",
	transcript_url: `${origin}/videos/${id}/transcript.vtt`,
	outputs,
	failure_reason: null,
	created_at: at,
	updated_at: later,
	uploaded_at: at,
	available_at: later,
	expires_at: null,
} as const satisfies z.input<NamedSchemas["Video"]>;
const metadata = { video_id: id, title: "How a cell divides", values: { course: "biology-7" } };
const auditEntry = {
	id: otherId,
	at,
	actor: { kind: "domain_key", id: otherId, label: "...yM2q" },
	action: "domain.config_updated",
	resource: { kind: "domain", id, label: "acme" },
	changed: ["cors_origins", "outputs.dash"],
	domain_id: id,
	address: "203.0.113.9",
	request_id: "7d1f0e7c-1b0a-4f57-9a64-9f2a1c1c0f10",
} satisfies z.input<NamedSchemas["AuditEntry"]>;
const pending = {
	...video,
	state: "pending_upload",
	progress: 0,
	duration_seconds: 42,
	width: null,
	height: null,
	transcript_status: "pending",
	transcript_url: null,
	outputs: null,
	updated_at: at,
	uploaded_at: null,
	available_at: null,
	expires_at: later,
} as const;
/** Of a video that ended without outputs. */
const ended = { ...pending, transcript_status: "failed", updated_at: later, expires_at: null } as const;
const upload = {
	protocol: "tus",
	endpoint: `${origin}/uploads`,
	token,
	token_type: "Bearer",
	expires_at: later,
	metadata: { video_id: id },
} as const;
const clip = {
	video: {
		...pending,
		state: "uploaded",
		duration_seconds: 17.5,
		transcript_status: "disabled",
		uploaded_at: at,
		expires_at: null,
	},
	source_video_id: otherId,
	title: "Prophase",
	start_seconds: 12.5,
	end_seconds: 30,
	created_at: at,
} as const;
const domain = {
	id: otherId,
	slug: "acme",
	config,
	limits: domainLimitDefaults,
	key_last4: "yM2q",
	webhook_secret_set: true,
	previous_webhook_secret_expires_at: null,
	created_at: at,
};
const outro = {
	id: otherId,
	slug: "spring",
	state: "available",
	label: "Spring campaign",
	serving_outro_id: otherId,
	failure_reason: null,
	content_type: "video/mp4",
	file_size: 2_345_678,
	duration_seconds: 4.2,
	width: 1920,
	height: 1080,
	created_at: at,
	updated_at: later,
} as const;
const createVideo: z.input<NamedSchemas["CreateVideo"]> = {
	content_type: "video/mp4",
	file_size: 12_345_678,
	duration_seconds: 42,
	external_ref: "order-1234",
	uploader_ref: "user-42",
	transcript: true,
	outro_slug: "spring",
	visibility: "private",
};
const imported = {
	id: otherId,
	status: "downloading",
	url: "https://files.acme.test/holiday.mp4",
	video_id: id,
	external_ref: createVideo.external_ref ?? null,
	title: metadata.title,
	bytes_received: 4_194_304,
	file_size: 12_345_678,
	failure: null,
	created_at: at,
	updated_at: later,
	next_attempt_at: null,
} as const;
const serviceAccount = { id: otherId, name: "transcoder-1", created_at: at, revoked_at: null };
const consoleAccount: z.input<NamedSchemas["ConsoleAccount"]> = {
	id: otherId,
	issuer: "https://login.acme.test",
	subject: "248289761001",
	email: "ada@acme.test",
	email_verified: true,
	role: "member",
	domain_ids: [otherId],
	created_at: at,
	last_signed_in_at: later,
	disabled_at: null,
};
const storageLocation = { id: "eu-1", name: "Frankfurt", region: "eu-central-1" };
const adminStorageLocation = {
	...storageLocation,
	endpoint: "https://s3.eu-central-1.amazonaws.com",
	bucket: "reelmill-eu-1",
	public_base_url: "https://cdn.acme.test",
	last_error: "The bucket refuses the key.",
	last_verified_at: at,
};
const eventBody = `{"id":"${otherId}","type":"video.ready"}`;
const heardEvent: z.input<NamedSchemas["HeardEvent"]> = {
	id: otherId,
	type: "video.ready",
	video_id: id,
	created_at: later,
	body: eventBody,
	headers: [{ name: "service-signature", value: "t=1769864400,v1=5257a869" }],
};
const refusedAttempt = {
	attempted_at: later,
	response_status: 503,
	duration_ms: 84,
	error: "The endpoint answered 503.",
};
const takenAttempt = { attempted_at: soonAfter, response_status: 200, duration_ms: 31, error: null };
const endpoint = "https://acme.test/hooks/video";
const exchangeOf = (
	attempt: number,
	tried: z.input<NamedSchemas["DeliveryAttempt"]>,
	signature: string,
	text: string,
): z.input<NamedSchemas["DeliveryExchange"]> => ({
	attempt,
	...tried,
	request: { url: endpoint, headers: [{ name: "service-signature", value: signature }] },
	response: {
		headers: [{ name: "content-type", value: "text/plain" }],
		body: { text, encoding: "utf-8", truncated: false },
	},
});
const exchanges = [
	exchangeOf(1, refusedAttempt, "t=1769864400,v1=5f1c0c9e…", "Back in a minute."),
	exchangeOf(2, takenAttempt, "t=1769864430,v1=b2e07d41…", "Thanks."),
];
const delivery: z.input<NamedSchemas["WebhookDelivery"]> = {
	id: otherId,
	type: "video.ready",
	video_id: id,
	status: "delivered",
	url: endpoint,
	attempts: [refusedAttempt, takenAttempt],
	attempt_count: 2,
	next_attempt_at: null,
	created_at: later,
	delivered_at: soonAfter,
};

const domainKey = { id: otherId, last4: "yM2q", created_at: at, expires_at: null };
const work = { since: at, progress: 61, speed: 2.4 };
const ofAcme = { domain_id: otherId, domain_slug: "acme" };
const queuedJob = {
	id,
	kind: "video",
	video_id: id,
	external_ref: "lecture-4.mp4",
	...ofAcme,
	is_sandbox: false,
	state: "running",
	attempt: 1,
	queued_at: at,
	worker: "transcoder-1/rack-7",
	...work,
} as const satisfies z.input<NamedSchemas["QueuedJob"]>;
const seenWorker: z.input<NamedSchemas["SeenWorker"]> = {
	name: "transcoder-1/rack-7",
	service_account_id: otherId,
	service_account: "transcoder-1",
	worker: "rack-7",
	address: "203.0.113.7",
	machine: "rack-7",
	takes: { chunks: true, transcripts: true, clips: true, posters: true, sandbox: true },
	is_present: true,
	fault: null,
	first_seen_at: at,
	seen_at: later,
	jobs: [{ id, kind: "video", video_id: id, external_ref: "lecture-4.mp4", ...ofAcme, attempt: 1, ...work }],
};
const failedVideo: z.input<NamedSchemas["FailedVideo"]> = {
	video_id: id,
	kind: "video",
	external_ref: "lecture-4.mp4",
	...ofAcme,
	reason: "invalid_media",
	message: "The file ends after 23.8 s.",
	worker: "transcoder-1/rack-7",
	failed_at: later,
	is_deleted: false,
};
const queued = { waiting: 12, running: 3, oldest_queued_at: at, held_back: 2 };
const setting = {
	name: "REELMILL_PORT",
	description: "The port to listen on; 0 takes a free one.",
	value: "8787",
	default: "8787",
	is_set: false,
	is_secret: false,
};
const serverFacts = {
	settings: [setting],
	disk: { takes_writes: true, free_bytes: 412_316_860_416, total_bytes: 1_000_204_886_016 },
};

const difference = {
	kind: "video_unplayable",
	place: "local",
	reference: `${otherId}/${id}/`,
	domain_id: otherId,
	video_id: id,
	message: "3 of 4 files are not stored: hls/master.m3u8, media/h264_720.mp4, web.mp4.",
	mended: true,
} as const;
const envelope = { id: otherId, created_at: later, domain_id: otherId };
const readyEvent = { ...envelope, type: "video.ready", data: { video } } as const;
const job: z.input<NamedSchemas["Job"]> = {
	id,
	kind: "video",
	lock: otherId,
	lock_expires_at: later,
	attempt: 2,
	last_attempt: false,
	source: { content_type: "video/mp4", file_size: 12_345_678 },
	limits: { max_duration_seconds: 180, max_decoded_pixels: 89_579_520_000 },
	plan: {
		renditions: ["h264_720"],
		outputs: config.outputs,
		transcript: true,
		moderation_frames: false,
		watermark: false,
		outro_id: otherId,
	},
	speed: "balanced",
	playable_first: false,
	outro: { file_size: 2_345_678 },
	chunk: null,
	transcript: null,
	idle_workers: 0,
	traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
	video_id: id,
	domain_id: otherId,
	request_id: "7d1f0e7c-1b0a-4f57-9a64-9f2a1c1c0f10",
	cut: 3,
	losses: 1,
};
const storagePlace = {
	id: otherId,
	is_current: true,
	backend: "s3_tenant",
	location_id: null,
	endpoint: "https://s3.eu-central-1.amazonaws.com",
	region: "eu-central-1",
	bucket: "acme-videos",
	key_prefix: "reelmill/",
	last_error: null,
	last_verified_at: later,
	created_at: at,
	videos: 128,
	bytes: 12_345_678_900,
} as const;
const storageView = {
	backend: "s3_tenant",
	location_id: null,
	endpoint: "https://s3.eu-central-1.amazonaws.com",
	region: "eu-central-1",
	bucket: "acme-videos",
	key_prefix: "reelmill/",
	force_path_style: false,
	access_key_id_last4: "MPLE",
	public_base_url: "https://cdn.acme.test",
	version: 1,
	last_error: null,
	last_verified_at: later,
	publications_waiting: 0,
} as const satisfies z.input<NamedSchemas["StorageView"]>;

/** An example of each code's own fields. */
const errorExtrasExamples: { readonly [C in keyof ErrorExtras]: ErrorExtras[C] } = {
	concurrent_upload_exists: { existing_video_id: id },
	rate_limited: { retryAfter: later },
	upload_quota_exceeded: { retryAfter: midnight },
	too_many_incomplete_uploads: { retryAfter: midnight },
	upload_not_pending: { upload_complete: false, upload_end: "expired" },
	outputs_incomplete: { missing: ["media/h264_720.mp4"] },
	storage_verification_failed: {
		step: "write",
		checks: [
			{ step: "connect", state: "passed", duration_ms: 0 },
			{ step: "write", state: "failed", duration_ms: 41 },
			{ step: "read", state: "not_reached", duration_ms: 0 },
		],
		provider_said: "AccessDenied (HTTP 403)",
		advice: ["Let the key put objects into the bucket: s3:PutObject."],
	},
};

/** An example of each header. */
export const headerExamples: Readonly<Record<string, string>> = {
	"x-request-id": "7d1f0e7c-1b0a-4f57-9a64-9f2a1c1c0f10",
	"Reelmill-Domain": "pQ3kVb8sT1xWm0Zr",
	"Retry-After": "12",
	"Accept-Ranges": "bytes",
	"Cache-Control": "public, max-age=300",
	"Content-Encoding": "br",
	"Reelmill-Edge-Proof": "eyJhbGciOiJFZERTQSJ9.eyJhdWQiOiJyZWVsbWlsbC1lZGdlIn0.c2lnbmF0dXJl",
	ETag: '"u5Yk0Wq1rJ3bXn8TzQe4dA"',
	Location: `${origin}/uploads/${id}`,
	"Set-Cookie": "__Host-reelmill_session=c2Vzc2lvbg; Path=/; HttpOnly; Secure; SameSite=Lax",
	"Upload-Offset": "1048576",
	"Upload-Length": "12345678",
	"Upload-Expires": "Sat, 31 Jan 2026 13:00:00 GMT",
	"Upload-Complete": "?1",
	"Upload-End": "finished",
	[consoleHeaders.console]: "1",
	[consoleHeaders.domain]: otherId,
	[webhookHeaders.signature]: "t=1769860800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
	[webhookHeaders.deliveryId]: otherId,
	[askedEventsHeader]: "video.updated",
};

/** The start of each kind of text that the service sends, by its media type. */
export const textExamples: Readonly<Record<string, string>> = {
	"text/html": "<!doctype html>\n",
	"text/plain": "# TYPE reelmill_jobs_waiting gauge\nreelmill_jobs_waiting 0\n",
	"application/x-subrip": "1\n00:00:00,000 --> 00:00:02,500\nWelcome to the mill.\n",
	"text/vtt": "WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nWelcome to the mill.\n",
};

const captions = {
	language: "de",
	label: "Deutsch",
	kind: "subtitles",
	source: "upload",
	forced: false,
	transcript: false,
	url: `${origin}/videos/${id}/captions/de.1.vtt`,
} as const;

/** An example of each body, by the name of its schema. */
export const examples: Examples = {
	// Requests
	CheckRequest: {
		cursor: checkCursor,
		repair: true,
		adopt: true,
		remove_orphans: false,
		remove_unknown_domains: false,
		young: false,
		deep: false,
	},
	PutPoster: { at_seconds: 12.5, preview: true },
	PutChapters: { chapters: [{ start_seconds: 0, title: "The mill turns" }] },
	ClaimByIdRequest: { worker: "transcoder-1", takes_clips: true, takes_sandbox: true },
	ClaimRequest: {
		worker: "transcoder-1",
		wait_seconds: 20,
		takes_chunks: true,
		takes_transcripts: true,
		takes_clips: true,
		takes_posters: true,
		takes_sandbox: true,
		machine: "rack-7",
	},
	CompleteRequest: {
		lock: otherId,
		outputs: {
			files: [
				"hls/master.m3u8",
				{ path: "media/h264_720.mp4", size: 9_876_543, sha256: digest },
				"web.mp4",
				"og.jpg",
				"transcript.vtt",
			],
			renditions: [rendition],
			has_outro: true,
		},
		media: { duration_seconds: 42.125, width: 1280, height: 720, transcript_status: "available", language: "en" },
		report: { skipped: { h264_1080: "the source has 720 lines" } },
	},
	CreateClip: {
		start_seconds: 12.5,
		end_seconds: 30,
		title: "Prophase",
		external_ref: "order-1234",
		outro_slug: "spring",
		visibility: "private",
	},
	CreateConsoleSession: { secret: "correct horse battery staple" },
	CreateDomain: { slug: "acme", limits: domainLimitDefaults },
	CreateOutro: {
		slug: "spring",
		content_type: "video/mp4",
		file_size: 2_345_678,
		duration_seconds: 4,
		label: "Spring campaign",
	},
	CreatePlaybackKey: { viewer_ref: "user-42", ttl_seconds: 3600, video_ids: [id] },
	CreateServiceAccount: { name: "transcoder-1" },
	CreateVideo: createVideo,
	DomainConfigPatch: {
		...config,
		webhook_secret: nobodysWebhookSecret,
	},
	DomainKey: domainKey,
	DomainKeyList: { data: [domainKey] },
	FailRequest: {
		lock: otherId,
		reason: "invalid_media",
		retryable: false,
		stopped: false,
		message: "The container has no index.",
	},
	FailedVideo: failedVideo,
	FailedVideoPage: { data: [failedVideo], next_cursor: cursor },
	Failures: {
		from: "2026-01-02",
		to: "2026-01-31",
		data: [{ date: "2026-01-31", reason: "invalid_media", count: 4 }],
	},
	HeartbeatRequest: {
		lock: otherId,
		progress: 40,
		probe: { duration_seconds: 42.125, width: 1280, height: 720 },
		encodes: [
			{ renditions: ["h264_720"], started_seconds: 1.5, seconds: 12.25, progress: 100 },
			{ renditions: ["h264_1080", "av1_1080"], started_seconds: 1.5, progress: 31 },
		],
	},
	NextChunkRequest: { lock: otherId, take: true },
	OfferChunksRequest: {
		lock: otherId,
		chunks: [{ first_frame: 600, end_frame: 1200, digest: "a".repeat(64), speed: "balanced" }],
	},
	OutputUrlsRequest: { lock: otherId, files: [{ path: "media/h264_720.mp4", size: 9_876_543, sha256: digest }] },
	Queue: {
		taken_at: at,
		...queued,
		transcripts_waiting: 0,
		domains: [{ ...ofAcme, max_concurrent_processing: 4, ...queued }],
	},
	JobQueue: {
		...{ waiting: 3, running: 2, oldest_waiting_seconds: 41.5 },
		by_kind: [
			{ kind: "video", waiting: 3, running: 1, oldest_waiting_seconds: 41.5 },
			{ kind: "outro", waiting: 0, running: 0, oldest_waiting_seconds: null },
			{ kind: "chunk", waiting: 0, running: 1, oldest_waiting_seconds: null },
			{ kind: "transcript", waiting: 0, running: 0, oldest_waiting_seconds: null },
			{ kind: "poster", waiting: 0, running: 0, oldest_waiting_seconds: null },
		],
	},
	QueuedJob: queuedJob,
	QueuedJobPage: { data: [queuedJob], next_cursor: cursor },
	CreateErasure: { uploader_ref: "user-42" },
	CreateImport: { url: imported.url, ...createVideo, title: metadata.title, values: metadata.values },
	RevokePlaybackKeys: { viewer_ref: "user-42" },
	RotateKey: { grace_seconds: 3600 },
	SeenWorker: seenWorker,
	SeenWorkerPage: { data: [seenWorker], next_cursor: cursor },
	ServerFacts: serverFacts,
	ServiceTokenRequest: { name: "transcoder-1", secret: "correct horse battery staple" },
	SettingInForce: setting,
	StorageProfile: {
		backend: "s3_tenant",
		endpoint: "https://s3.eu-central-1.amazonaws.com",
		region: "eu-central-1",
		bucket: "acme-videos",
		key_prefix: "reelmill/",
		force_path_style: false,
		access_key_id: "AKIAIOSFODNN7EXAMPLE",
		secret_access_key: "a secret of the bucket",
		public_base_url: "https://cdn.acme.test",
	},
	System: {
		taken_at: later,
		version: "1.0.0",
		started_at: at,
		base_url: origin,
		database: {
			version: "17.5",
			migrations: 1,
			last_migration: "0001-schema",
			clock_ahead_milliseconds: 1.5,
			size_bytes: 512_000_000,
		},
		storage: {
			local: { domains: 2, is_own: true },
			locations: [{ ...adminStorageLocation, domains: 1 }],
			failing_buckets: [
				{
					...ofAcme,
					bucket: "acme-media",
					is_current: true,
					last_error: "The bucket refuses the key.",
					last_verified_at: at,
				},
			],
		},
		server: serverFacts,
	},
	UpdateConsoleAccount: { role: "member", domain_ids: [otherId] },
	UpdateDomain: { slug: "acme-video", limits: domainLimitDefaults },
	UpdateVisibility: { visibility: "public" },
	// Responses
	AdminStorageLocation: adminStorageLocation,
	AdminStorageLocationList: { data: [adminStorageLocation] },
	AuditEntry: auditEntry,
	AuditPage: { data: [auditEntry], next_cursor: cursor },
	CheckStep: {
		differences: [difference],
		looked_at: { rows: 500, objects: 4210, bytes: 0 },
		passed_over: { young: 3, look_again_at: later, without_sums: 0 },
		percent: 41.5,
		cursor: nextCheckCursor,
	},
	Clip: clip,
	ClipPage: { data: [clip], next_cursor: cursor },
	ConsoleAccount: consoleAccount,
	ConsoleAccountPage: { data: [consoleAccount], next_cursor: cursor },
	ConsoleSignIn: { secret: true, provider: false },
	ConsoleSession: { account: consoleAccount, domains: [{ id: otherId, slug: "acme" }], expires_at: later },
	CreatedDomain: { domain, api_key: key },
	RequestedTranscripts: { requested: 12 },
	CreatedOutro: {
		outro: {
			...outro,
			state: "uploading",
			serving_outro_id: null,
			duration_seconds: 4,
			width: null,
			height: null,
			updated_at: at,
		},
		upload: { ...upload, metadata: { video_id: otherId } },
	},
	CreatedServiceAccount: { service_account: serviceAccount, secret: "correct horse battery staple" },
	CreatedVideo: { video: pending, upload },
	Difference: difference,
	Domain: domain,
	DomainConfig: config,
	DomainLimits: domainLimitDefaults,
	DomainPage: { data: [domain], next_cursor: cursor },
	Health: { status: "ok", version: "1.0.0" },
	Heartbeat: { lock_expires_at: later },
	Job: job,
	JobState: { id, state: "available" },
	KeyRotation: { api_key: key, previous_key_expires_at: later },
	LimitsView: { max_file_bytes: 209_715_200, max_duration_seconds: 180 },
	Chunks: {
		taken: otherId,
		data: [
			{ id, state: "done", progress: 100, files: [{ path: "video.mp4", size: 1_234_567, sha256: digest }] },
			{ id: otherId, state: "taken", progress: 0, files: null },
		],
	},
	OfferedChunks: { data: [otherId] },
	OutputUrls: {
		data: [
			{
				path: "media/h264_720.mp4",
				url: "https://s3.eu-central-1.amazonaws.com/acme-videos/media/h264_720.mp4?X-Amz-Expires=300",
				headers: { "content-type": "video/mp4", "cache-control": "public, max-age=86400", "if-none-match": "*" },
				expires_at: later,
			},
		],
		storage_owner: "tenant",
	},
	Outro: outro,
	OutroList: { data: [outro], next_cursor: null },
	PlaybackEpoch: { epoch: 2 },
	PlaybackKeySet: {
		keys: [
			{
				kty: "EC",
				crv: "P-256",
				x: "HhhTL9R1TALzBB2cdc6zO4P_2BrHzk_ogsyxyYvFiW4",
				y: "pGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM",
				kid: "gWjt7nmB1udyFpLYVp0SxJnI8lJEvl7q8AFYZRqnGV8",
				alg: "ES256",
				use: "sig",
			},
		],
	},
	EdgeFeed: {
		domain: id,
		epoch: 2,
		viewers: { "3xKq0Zr9aT1bVn5W": "Qm8sYk2L" },
		videos: { b7Wc1PzN4dRt6HuE: "x0Fj3GvA" },
		generation: "1",
	},
	PlaybackKey: { playback_key: token, token_type: "Bearer", viewer_ref: "user-42", video_ids: [id], expires_at: later },
	Erasure: { deleted: 3, forgotten: 1 },
	Import: imported,
	ImportPage: { data: [imported], next_cursor: cursor },
	PlaybackRevocation: { viewer_ref: "user-42", revoked_at: at },
	Readiness: { status: "ok", checks: { database: true, storage: true } },
	Rendition: rendition,
	RotatedServiceAccount: {
		service_account: serviceAccount,
		secret: "correct horse battery staple",
		previous_secret_expires_at: later,
	},
	SandboxSession: {
		api_key: key,
		expires_at: midnight,
		limits: { max_file_bytes: 52_428_800, max_duration_seconds: 60 },
	},
	ServiceAccount: serviceAccount,
	ServiceAccountPage: { data: [serviceAccount], next_cursor: cursor },
	ServiceToken: { token, token_type: "Bearer", expires_at: later },
	Stats: {
		taken_at: at,
		domains: 3,
		videos: {
			pending_upload: 1,
			uploaded: 0,
			queued: 2,
			locked: 0,
			encoding: 1,
			available: 120,
			failed: 3,
			timeout: 0,
			expired: 4,
			cancelled: 2,
		},
		jobs: { waiting: 2, running: 1, oldest_waiting_seconds: 12.5 },
		webhook_deliveries: { pending: 0, failed: 1, delivered: 128 },
		storage_bytes: 9_876_543_210,
		uploaded_bytes_today: 123_456_789,
		encoded_seconds_today: 840.5,
	},
	StorageCheck: { step: "write", state: "passed", duration_ms: 41 },
	StorageLocation: storageLocation,
	StorageLocationList: { data: [storageLocation] },
	StorageVerification: {
		verified_at: at,
		steps: ["write", "read", "presign", "delete"],
		checks: [
			{ step: "connect", state: "passed", duration_ms: 0 },
			{ step: "write", state: "passed", duration_ms: 41 },
			{ step: "read", state: "passed", duration_ms: 12 },
			{ step: "presign", state: "passed", duration_ms: 9 },
			{ step: "delete", state: "passed", duration_ms: 30 },
		],
		warnings: [],
		advice: [],
	},
	StoragePlaceList: { data: [storagePlace] },
	StorageView: storageView,
	Poster: {
		state: "available",
		source: "frame",
		at_seconds: 12.5,
		failure_reason: null,
		poster_url: `${origin}/videos/${id}/poster.jpg?v=1`,
		thumbnail_url: `${origin}/videos/${id}/og.jpg?v=1`,
		preview_url: `${origin}/videos/${id}/preview.webp?v=1`,
	},
	Chapters: {
		chapters: [{ start_seconds: 0, title: "The mill turns" }],
		url: `${origin}/videos/${id}/chapters.vtt?v=1`,
	},
	Captions: captions,
	CaptionsList: { data: [captions] },
	Transcript: {
		video_id: id,
		status: "available",
		text: "Welcome to the mill.",
		language: "en",
		transcript_url: `${origin}/videos/${id}/transcript.vtt`,
	},
	UploadTicket: upload,
	Usage: {
		date: "2026-01-31",
		uploaded_bytes: 123_456_789,
		encoded_seconds: 840.5,
		storage_bytes: 9_876_543_210,
		limits: domainLimitDefaults,
		remaining: { upload_bytes: 10_613_961_451, storage_bytes: 97_497_639_190, processing_slots: 3 },
		resets_at: midnight,
	},
	Video: video,
	VideoOutputs: outputs,
	UsageDays: {
		data: [
			{
				date: "2026-01-31",
				uploads: 12,
				uploaded_bytes: 123_456_789,
				available: 11,
				encoded_seconds: 504.25,
				failures: 1,
				storage_bytes: 987_654_321,
			},
		],
	},
	FirstSteps: { uploaded_at: at, played_at: later, webhook_set_at: null, delivered_at: null },
	VideoCounts: {
		data: videoStates.map((state) =>
			state === "available" ? { state, count: mostCounted, more: true } : { state, count: 0, more: false },
		),
	},
	VideoTimeline: {
		video_id: id,
		first_byte_at: at,
		moves: [
			{ state: "pending_upload", at, worker: null },
			{ state: "uploaded", at, worker: null },
			{ state: "queued", at, worker: null },
			{ state: "locked", at, worker: "transcoder-1/rack-7" },
			{ state: "encoding", at, worker: null },
			{ state: "available", at: later, worker: null },
		],
		encodes: [],
	},
	UpdateMetadata: { title: metadata.title, values: metadata.values },
	VideoMetadata: metadata,
	VideoPage: { data: [{ ...video, metadata }], next_cursor: cursor },
	VideoWarning: {
		code: "changes_midway",
		message: warnings.changes_midway,
		detail: "Picture: 160x90, 640x360 from 0.4 s, 1280x720 from 1.5 s.",
	},
	VideoReport: {
		video_id: id,
		warnings: [{ code: "black_at_start", message: warnings.black_at_start }],
		report: {
			source: { container: "mov", width: 1280, height: 720, frame_rate: 29.97 },
			decisions: [
				{ about: "h264_1080", decision: "skipped", because: "it would be larger than the source of 1280x720" },
			],
			warnings: ["black_at_start"],
		},
	},
	ListenRequest: { received: [id], ends: false },
	HeardEvent: heardEvent,
	HeardEvents: {
		secret: nobodysWebhookSecret,
		is_new: false,
		expires_at: later,
		data: [heardEvent],
	},
	TriggerRequest: { type: "video.ready" },
	TriggerAnswer: { id: otherId, type: "video.ready", listeners: 1 },
	ReplayRequest: { since: at, dry_run: true },
	ReplayAnswer: { replayed: 7, more: false },
	WebhookDelivery: delivery,
	MessageHeader: { name: "content-type", value: "text/plain" },
	DeliveryAttempt: refusedAttempt,
	DeliveryExchange: exchangeOf(1, refusedAttempt, "t=1769864400,v1=5f1c0c9e…", "Back in a minute."),
	WebhookDeliveryDetail: { ...delivery, body: eventBody, exchanges },
	WebhookDeliveryPage: { data: [delivery], next_cursor: cursor },
	WebhookEvent: readyEvent,
	VideoReadyEvent: readyEvent,
	VideoFailedEvent: {
		...envelope,
		type: "video.failed",
		data: { video: { ...ended, state: "failed", uploaded_at: at, failure_reason: "invalid_media" } },
	},
	VideoExpiredEvent: { ...envelope, type: "video.expired", data: { video: { ...ended, state: "expired" } } },
	VideoCancelledEvent: { ...envelope, type: "video.cancelled", data: { video: { ...ended, state: "cancelled" } } },
	VideoUpdatedEvent: { ...envelope, type: "video.updated", data: { video, changed: ["captions", "metadata"] } },
	WebhookTestEvent: {
		...envelope,
		type: testEventType,
		data: { video: exampleVideo(testEventType, { id: testVideoId, baseUrl: origin, at: later }) },
	},
	WebhookSecretRotation: {
		webhook_secret: nobodysWebhookSecret,
		previous_secret_expires_at: later,
	},
};

type Answer<Schema extends keyof Examples> = Examples[Schema];

/** What those operations answer whose answer is another than the example of its schema, by their names. */
export const answerExamples = {
	cancelVideo: { ...ended, state: "cancelled" } satisfies Answer<"Video">,
	updateVideoVisibility: { ...video, visibility: "public" } satisfies Answer<"Video">,
	reprocessVideo: {
		...pending,
		state: "queued",
		updated_at: later,
		uploaded_at: at,
		expires_at: null,
	} satisfies Answer<"Video">,
	replayWebhookDelivery: {
		...delivery,
		status: "pending",
		attempts: [refusedAttempt],
		attempt_count: 1,
		next_attempt_at: soonAfter,
		delivered_at: null,
	} satisfies Answer<"WebhookDelivery">,
	sendTestWebhook: {
		...delivery,
		type: testEventType,
		video_id: testVideoId,
		status: "pending",
		attempts: [],
		attempt_count: 0,
		next_attempt_at: later,
		delivered_at: null,
	} satisfies Answer<"WebhookDelivery">,
	deleteStorage: {
		...storageView,
		backend: "local",
		endpoint: null,
		region: null,
		bucket: null,
		key_prefix: null,
		force_path_style: null,
		access_key_id_last4: null,
		public_base_url: null,
		version: 2,
	} satisfies Answer<"StorageView">,
	updateDomain: { ...domain, slug: "acme-video" } satisfies Answer<"Domain">,
	disableConsoleAccount: { ...consoleAccount, disabled_at: later } satisfies Answer<"ConsoleAccount">,
	failJob: { id, state: "failed" } satisfies Answer<"JobState">,
} as const satisfies { readonly [Name in OperationName]?: unknown };

/**
 * Examples of fields that the example of their schema leaves out, or has null: a body that had all of its fields would
 * be none that is sent.
 */
const fieldExamples: Readonly<Record<string, object>> = {
	ClaimRequest: { fault: "disk_full" },
	FailRequest: { worker_fault: "disk_full" },
	Job: {
		chunk: { first_frame: 600, end_frame: 1200, digest, speed: "balanced" },
		transcript: { duration_seconds: 42.125 },
		clip: {
			start_seconds: 12.5,
			end_seconds: 30,
			language: "en",
			files: [{ path: "media/h264_720.mp4", size: 9_876_543 }],
		},
		poster: { at_seconds: 12.5, preview: true, width: 1920, height: 1080 },
	},
	Import: {
		failure: { code: "upload_quota_exceeded", message: errors.upload_quota_exceeded.message },
		next_attempt_at: midnight,
	},
	SeenWorker: { fault: "disk_full" },
	StorageProfile: { location_id: "eu-1" },
	StorageView: { location_id: "eu-1", last_error: "The bucket refuses the key." },
	VideoTimeline: {
		moves: [{ state: "locked", at, worker: "transcoder-1/rack-7" }],
		encodes: [{ renditions: ["h264_720"], started_at: at, ended_at: later, progress: 100 }],
	},
	StoragePlaceList: { data: [{ ...storagePlace, location_id: "eu-1", last_error: "The bucket refuses the key." }] },
};

/** An example of everything that has a name in the document, of which its fields have their parts. */
export const allExamples: Readonly<Record<string, unknown>> = {
	...examples,
	...errorExtrasExamples,
	...Object.fromEntries(
		Object.entries(fieldExamples).map(([name, fields]) => [name, { ...examples[name as keyof Examples], ...fields }]),
	),
	Id: otherId,
	Timestamp: at,
	ErrorMessage: errors.video_not_found.message,
};
