import type * as z from "zod";
import { domainLimitDefaults } from "../limits.ts";
import { domainConfigDefaults } from "../resources/domain.ts";
import type { requestSchemas, responseSchemas } from "./schemas.ts";

type Examples<S extends Record<string, z.ZodType>> = { readonly [K in keyof S]: z.input<S[K]> };

const id = "5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10";
const otherId = "0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21";
const at = "2026-01-31T12:00:00.000Z";
const later = "2026-01-31T13:00:00.000Z";
const midnight = "2026-02-01T00:00:00.000Z";
const origin = "https://video.acme.test";
const key = "ek_3vQy7n8mB2kP5sT9wXzR4cF6gH1jL0dN8aE5uV7yM2q";
const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

const rendition = { name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 1_850_000 } as const;
const outputs = {
	hls_url: `${origin}/videos/${id}/hls/master.m3u8`,
	dash_url: null,
	mp4_url: `${origin}/videos/${id}/web.mp4`,
	thumbnail_url: `${origin}/videos/${id}/og.jpg`,
	storyboard_url: `${origin}/videos/${id}/storyboard.vtt`,
	web_mp4_outro_id: null,
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
	outro_id: null,
	transcript_status: "disabled",
	transcript_url: null,
	outputs,
	failure_reason: null,
	created_at: at,
	updated_at: later,
	uploaded_at: at,
	available_at: later,
	expires_at: null,
} as const satisfies z.input<typeof responseSchemas.Video>;
const pending = {
	...video,
	state: "pending_upload",
	progress: 0,
	duration_seconds: 42,
	width: null,
	height: null,
	outputs: null,
	updated_at: at,
	uploaded_at: null,
	available_at: null,
	expires_at: later,
} as const;
const upload = {
	protocol: "tus",
	endpoint: `${origin}/uploads`,
	token,
	token_type: "Bearer",
	expires_at: later,
	metadata: { video_id: id },
} as const;
const domain = {
	id: otherId,
	slug: "acme",
	config: domainConfigDefaults,
	limits: domainLimitDefaults,
	key_last4: "yM2q",
	webhook_secret_set: true,
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
const serviceAccount = { id: otherId, name: "transcoder-1", created_at: at, revoked_at: null };
const consoleAccount: z.input<typeof responseSchemas.ConsoleAccount> = {
	id: otherId,
	email: "ada@acme.test",
	role: "member",
	domain_ids: [otherId],
	created_at: at,
	last_signed_in_at: later,
	disabled_at: null,
};
const storageLocation = { id: "eu-1", name: "Frankfurt", region: "eu-central-1" };
const adminStorageLocation = {
	...storageLocation,
	endpoint: null,
	bucket: "reelmill-eu-1",
	public_base_url: null,
	last_error: null,
	last_verified_at: at,
};
const delivery: z.input<typeof responseSchemas.WebhookDelivery> = {
	id: otherId,
	type: "video.ready",
	video_id: id,
	status: "delivered",
	url: "https://acme.test/hooks/video",
	attempts: [{ attempted_at: later, response_status: 200, duration_ms: 84, error: null }],
	attempt_count: 1,
	next_attempt_at: null,
	created_at: later,
	delivered_at: later,
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

/** A valid body for each named request schema. */
export const requestExamples: Examples<typeof requestSchemas> = {
	CheckRequest: { repair: true },
	ClaimByIdRequest: { worker: "transcoder-1" },
	ClaimRequest: { worker: "transcoder-1", wait_seconds: 20 },
	CompleteRequest: {
		lock: otherId,
		outputs: { files: ["hls/master.m3u8", "media/h264_720.mp4", "web.mp4", "og.jpg"], renditions: [rendition] },
		media: { duration_seconds: 42.125, width: 1280, height: 720, transcript_status: "disabled", language: null },
		report: { skipped: { h264_1080: "the source has 720 lines" } },
	},
	CreateConsoleSession: { secret: "correct horse battery staple" },
	CreateDomain: { slug: "acme", limits: { max_concurrent_processing: 8 } },
	CreateOutro: {
		slug: "spring",
		content_type: "video/mp4",
		file_size: 2_345_678,
		duration_seconds: 4,
		label: "Spring campaign",
	},
	CreatePlaybackKey: { viewer_ref: "user-42", ttl_seconds: 3600, video_ids: [id] },
	CreateServiceAccount: { name: "transcoder-1" },
	CreateVideo: {
		content_type: "video/mp4",
		file_size: 12_345_678,
		duration_seconds: 42,
		external_ref: "order-1234",
		uploader_ref: "user-42",
		visibility: "private",
	},
	DomainConfigPatch: {
		outputs: { dash: true },
		cors_origins: ["https://acme.test"],
		webhook_url: "https://acme.test/hooks/video",
		webhook_secret: "whsec_5f4dcc3b5aa765d61d8327deb882cf99",
	},
	FailRequest: { lock: otherId, reason: "invalid_media", retryable: false, message: "The container has no index." },
	HeartbeatRequest: { lock: otherId, progress: 40, probe: { duration_seconds: 42.125, width: 1280, height: 720 } },
	NextChunkRequest: { lock: otherId, take: true },
	OfferChunksRequest: {
		lock: otherId,
		chunks: [{ first_frame: 600, end_frame: 1200, digest: "a".repeat(64), speed: "balanced" }],
	},
	OutputUrlsRequest: { lock: otherId, files: [{ path: "media/h264_720.mp4", size: 9_876_543 }] },
	RevokePlaybackKeys: { viewer_ref: "user-42" },
	RotateKey: { grace_seconds: 600 },
	ServiceTokenRequest: { name: "transcoder-1", secret: "correct horse battery staple" },
	StorageProfile: {
		backend: "s3_tenant",
		endpoint: "https://s3.eu-central-1.amazonaws.com",
		region: "eu-central-1",
		bucket: "acme-videos",
		key_prefix: "reelmill/",
		force_path_style: false,
		access_key_id: "AKIAIOSFODNN7EXAMPLE",
		secret_access_key: "a secret of the bucket",
		public_base_url: null,
	},
	UpdateConsoleAccount: { role: "member", domain_ids: [otherId] },
	UpdateDomain: { limits: { daily_upload_bytes: 21_474_836_480 } },
	UpdateVisibility: { visibility: "public" },
};

/** A valid body for each named response schema. */
export const responseExamples: Examples<typeof responseSchemas> = {
	AdminStorageLocation: adminStorageLocation,
	AdminStorageLocationList: { data: [adminStorageLocation] },
	CheckStep: {
		differences: [difference],
		looked_at: { rows: 500, objects: 4210 },
		percent: 41.5,
		cursor: "WyJsb2NhbCIsIm91dHB1dHMiLCIiXQ",
	},
	ConsoleAccount: consoleAccount,
	ConsoleAccountPage: { data: [consoleAccount], next_cursor: null },
	ConsoleSession: { account: consoleAccount, domains: [{ id: otherId, slug: "acme" }], expires_at: later },
	CreatedDomain: { domain, api_key: key },
	RequestedTranscripts: { requested: 12 },
	CreatedOutro: { outro: { ...outro, state: "uploading", serving_outro_id: null, width: null, height: null }, upload },
	CreatedServiceAccount: { service_account: serviceAccount, secret: "correct horse battery staple" },
	CreatedVideo: { video: pending, upload },
	Difference: difference,
	Domain: domain,
	DomainConfig: domainConfigDefaults,
	DomainLimits: domainLimitDefaults,
	DomainPage: { data: [domain], next_cursor: null },
	ErrorBody: {
		error: "concurrent_upload_exists",
		message: "This uploader has a pending upload already.",
		existing_video_id: id,
	},
	Health: { status: "ok", version: "1.0.0" },
	Heartbeat: { lock_expires_at: later },
	Job: {
		id,
		kind: "video",
		lock: otherId,
		lock_expires_at: later,
		attempt: 1,
		source: { content_type: "video/mp4", file_size: 12_345_678 },
		limits: { max_duration_seconds: 180, max_decoded_pixels: 89_579_520_000 },
		plan: {
			renditions: ["h264_720"],
			outputs: domainConfigDefaults.outputs,
			transcript: false,
			moderation_frames: false,
			watermark: false,
			outro_id: null,
		},
		speed: "balanced",
		playable_first: false,
		outro: null,
		chunk: null,
		transcript: null,
		idle_workers: 0,
	},
	JobState: { id, state: "available" },
	KeyRotation: { api_key: key, previous_key_expires_at: later },
	LimitsView: { max_file_bytes: 209_715_200, max_duration_seconds: 180 },
	Chunks: { taken: null, data: [{ id, state: "locked", progress: 40, files: null }] },
	OfferedChunks: { data: [id] },
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
	PlaybackKey: { playback_key: token, token_type: "Bearer", viewer_ref: "user-42", video_ids: [id], expires_at: later },
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
	ServiceAccountPage: { data: [serviceAccount], next_cursor: null },
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
	StorageLocation: storageLocation,
	StorageLocationList: { data: [storageLocation] },
	StorageVerification: { verified_at: at, steps: ["connect", "write", "read", "presign", "delete"], warnings: [] },
	StorageView: {
		backend: "local",
		location_id: null,
		endpoint: null,
		region: null,
		bucket: null,
		key_prefix: null,
		force_path_style: null,
		access_key_id_last4: null,
		public_base_url: null,
		version: 1,
		last_error: null,
		last_verified_at: null,
		publications_waiting: 0,
	},
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
	VideoPage: { data: [video], next_cursor: null },
	VideoReport: {
		video_id: id,
		report: {
			source: { container: "mov", width: 1280, height: 720, frame_rate: 29.97 },
			decisions: [
				{ about: "h264_1080", decision: "skipped", because: "it would be larger than the source of 1280x720" },
			],
		},
	},
	WebhookDelivery: delivery,
	WebhookDeliveryPage: { data: [delivery], next_cursor: null },
	WebhookEvent: { id: otherId, type: "video.ready", created_at: later, domain_id: otherId, data: { video } },
	WebhookSecretRotation: {
		webhook_secret: "whsec_5f4dcc3b5aa765d61d8327deb882cf99",
		previous_secret_expires_at: later,
	},
};
