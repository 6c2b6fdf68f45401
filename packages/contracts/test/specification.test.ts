import { describe, expect, it } from "vitest";
import { api, errors, events, eventTypes, type Operation, routes, statusOf, videoStates } from "../src/index.ts";
import { createOpenApiDocument } from "../src/openapi.ts";

// The specification's tables, written out independently of the code.
const specifiedErrors: [code: string, status: number][] = [
	["unauthorized", 401],
	["forbidden", 403],
	["invalid_credentials", 401],
	["name_already_exists", 409],
	["service_account_not_found", 404],
	["service_account_revoked", 422],
	["invalid_content_type", 400],
	["file_too_large", 400],
	["duration_too_long", 400],
	["concurrent_upload_exists", 409],
	["too_many_incomplete_uploads", 429],
	["missing_video_id", 400],
	["size_mismatch", 400],
	["upload_not_pending", 409],
	["video_not_found", 404],
	["invalid_state", 409],
	["video_not_deletable", 422],
	["video_not_claimable", 409],
	["not_lock_holder", 403],
	["invalid_video_state", 409],
	["invalid_video_id", 400],
	["file_not_found", 404],
	["invalid_path", 400],
	["upload_quota_exceeded", 429],
	["storage_quota_exceeded", 429],
	["invalid_cursor", 400],
	["slug_already_exists", 409],
	["domain_not_found", 404],
	["validation_error", 400],
	["bad_request", 400],
	["internal_error", 500],
	["invalid_zip_entry", 400],
	["zip_too_large", 413],
	["storage_backend_unsupported", 501],
	["delivery_not_found", 404],
	["rate_limited", 429],
	["sandbox_domain_protected", 409],
	["sandbox_not_allowed", 403],
	["csrf_check_failed", 403],
	["domain_not_selected", 400],
	["not_found", 404],
	["account_disabled", 403],
	["oauth_failed", 400],
	["invalid_secret", 401],
	["storage_unavailable", 503],
	["storage_verification_failed", 400],
	["outputs_incomplete", 409],
	["playback_key_required", 401],
	["playback_key_invalid", 401],
	["playback_revocation_limit", 409],
	["outro_not_found", 404],
	["outro_not_ready", 409],
	["outro_limit_reached", 409],
	["import_not_found", 404],
	["import_limit_reached", 409],
	["imports_unavailable", 501],
];

// Method, path, and for tenant operations whether a sandbox session may call it (+) or not (-).
const specifiedOperations = `
GET /v1/health
GET /v1/domain -
PATCH /v1/domain/config -
POST /v1/domain/rotate-key -
GET /v1/limits +
GET /v1/usage -
POST /v1/sandbox/session
POST /v1/videos +
GET /v1/videos +
GET /v1/videos/{id} +
DELETE /v1/videos/{id} +
POST /v1/videos/{id}/cancel +
PATCH /v1/videos/{id}/visibility -
GET /v1/videos/{id}/transcript +
GET /v1/videos/{id}/frames/{path} +
POST /v1/outros -
GET /v1/outros -
GET /v1/outros/{slug} -
DELETE /v1/outros/{slug} -
POST /v1/playback-keys +
POST /v1/playback-keys/revoke -
POST /v1/playback-keys/revoke-all -
GET /v1/webhook-deliveries -
POST /v1/webhook-deliveries/{id}/replay -
POST /v1/domain/rotate-webhook-secret -
GET /v1/storage/locations -
GET /v1/domain/storage -
PUT /v1/domain/storage -
DELETE /v1/domain/storage -
POST /v1/domain/storage/verify -
GET /v1/openapi.json
GET /docs
GET /ready
GET /metrics
POST /uploads
HEAD /uploads/{id}
PATCH /uploads/{id}
DELETE /uploads/{id}
GET /videos/{id}/hls/master.m3u8
GET /videos/{id}/hls/{file}
GET /videos/{id}/dash/manifest.mpd
GET /videos/{id}/media/{file}
GET /videos/{id}/web.mp4
GET /videos/{id}/og.jpg
GET /videos/{id}/transcript.vtt
GET /videos/{id}/storyboard.vtt
GET /videos/{id}/storyboard/{file}
POST /internal/v1/token
POST /internal/v1/jobs/claim
POST /internal/v1/jobs/{id}/claim
POST /internal/v1/jobs/{id}/heartbeat
POST /internal/v1/jobs/{id}/output-urls
GET /internal/v1/jobs/{id}/source
PUT /internal/v1/jobs/{id}/outputs
POST /internal/v1/jobs/{id}/complete
POST /internal/v1/jobs/{id}/fail
POST /admin/v1/domains
GET /admin/v1/domains
GET /admin/v1/domains/{id}
PATCH /admin/v1/domains/{id}
DELETE /admin/v1/domains/{id}
POST /admin/v1/domains/{id}/rotate-key
POST /admin/v1/service-accounts
GET /admin/v1/service-accounts
POST /admin/v1/service-accounts/{id}/rotate
DELETE /admin/v1/service-accounts/{id}
GET /admin/v1/console-accounts
POST /admin/v1/console-accounts/{id}/disable
POST /admin/v1/console-accounts/{id}/enable
PATCH /admin/v1/console-accounts/{id}
GET /admin/v1/storage-locations
GET /admin/v1/stats
POST /console/v1/session
GET /console/v1/session
DELETE /console/v1/session
GET /console/v1/oauth/start
GET /console/v1/oauth/callback
`
	.trim()
	.split("\n");

const operations = Object.entries(api) as [keyof typeof api, Operation][];

describe("the contract against the specification", () => {
	it("has exactly the specified error codes, each with its status", () => {
		expect(Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status]))).toEqual(
			Object.fromEntries(specifiedErrors),
		);
	});

	/**
	 * Operations beyond the specification: the documents of every plane and of other audiences, the report on the
	 * processing of a video, chunks, late transcripts, the check of the storage, the audit log, a domain's keys, what an
	 * operator watches, and what the console shows of webhooks.
	 * Operations beyond the specification: the document of every plane, the report on the processing of a video, its
	 * timeline, counts of videos, days of usage, the first steps, chunks, late transcripts, what a scheduler of workers reads,
	 * the check of the storage, the erasure of a person, and what an edge needs that verifies playback keys.
	 */
	const added = [
		"GET /v1/openapi.all.json",
		"GET /v1/openapi.operators.json",
		"GET /v1/openapi.workers.json",
		"GET /v1/openapi.console.json",
		"GET /v1/audit -",
		"GET /admin/v1/audit",
		"GET /v1/videos/{id}/report +",
		"GET /v1/videos/{id}/timeline +",
		"GET /v1/videos/{id}/metadata +",
		"PUT /v1/videos/{id}/metadata +",
		"GET /v1/videos/counts +",
		"GET /v1/videos/{id}/captions +",
		"GET /v1/videos/{id}/captions/{language} +",
		"PUT /v1/videos/{id}/captions/{language} +",
		"DELETE /v1/videos/{id}/captions/{language} +",
		"GET /v1/videos/{id}/chapters +",
		"PUT /v1/videos/{id}/chapters +",
		"DELETE /v1/videos/{id}/chapters +",
		"POST /v1/videos/{id}/clips +",
		"GET /v1/videos/{id}/clips +",
		"GET /v1/videos/{id}/poster +",
		"PUT /v1/videos/{id}/poster +",
		"DELETE /v1/videos/{id}/poster +",
		"GET /videos/{id}/preview.webp",
		"GET /videos/{id}/chapters.json",
		"GET /v1/usage/days -",
		"GET /v1/first-steps -",
		"POST /internal/v1/jobs/{id}/chunks",
		"POST /internal/v1/jobs/{id}/chunks/next",
		"GET /internal/v1/jobs/{id}/parts",
		"GET /internal/v1/queue",
		"POST /admin/v1/domains/{id}/transcripts",
		"POST /admin/v1/check",
		"GET /console/v1/sign-in",
		"GET /v1/webhook-deliveries/{id} -",
		"POST /v1/webhook-deliveries/replay -",
		"POST /v1/domain/test-webhook -",
		"POST /v1/webhook-listeners/{id}/events -",
		"POST /v1/webhook-listeners/trigger -",
		"GET /v1/domain/keys -",
		"GET /v1/outros/{slug}/preview -",
		"DELETE /v1/domain/keys/{id} -",
		"GET /admin/v1/queue",
		"GET /admin/v1/jobs",
		"GET /admin/v1/workers",
		"GET /admin/v1/failures",
		"GET /admin/v1/failures/videos",
		"GET /admin/v1/system",
		"POST /admin/v1/videos/{id}/reprocess",
		"GET /v1/domain/storage/places -",
		"POST /v1/erasures -",
		"POST /v1/imports -",
		"GET /v1/imports -",
		"GET /v1/imports/{id} -",
		"DELETE /v1/imports/{id} -",
		"GET /v1/playback-keys/jwks.json",
		"GET /v1/edge/{domain}",
		"GET /videos/{id}/captions/{file}",
		"GET /videos/{id}/chapters.vtt",
		"GET /videos/{id}/poster.jpg",
	];

	it("has exactly the operations that are specified or named as added, each open to sandbox sessions as specified", () => {
		const marks = { allowed: " +", refused: " -" };
		const declared = operations.map(
			([, { method, path, sandbox }]) => `${method} ${path}${sandbox === undefined ? "" : marks[sandbox]}`,
		);
		expect(declared.sort()).toEqual([...specifiedOperations, ...added].sort());
	});

	it("answers an unknown outro with 400 where a video is initiated and with 404 elsewhere", () => {
		expect(statusOf(api.createVideo, "outro_not_found")).toBe(400);
		expect(statusOf(api.getOutro, "outro_not_found")).toBe(404);
		expect(statusOf(api.deleteOutro, "outro_not_found")).toBe(404);
	});

	it("serves HEAD wherever it serves delivery files", () => {
		for (const [name, operation] of operations)
			expect(operation.alsoHead ?? false, name).toBe(operation.plane === "delivery");
	});

	it("has every operation in the route table", () => {
		const keyed = ["createVideo", "createOutro", "createImport", "createClip"];
		expect(routes).toEqual(
			Object.fromEntries(
				operations.map(([name, { method, path }]) => [
					name,
					keyed.includes(name) ? [method, path, "keyed"] : [method, path],
				]),
			),
		);
	});

	it("takes an Idempotency-Key where a video or an outro is created, and nowhere else", () => {
		const taking = operations.filter(([, { headers }]) => headers !== undefined && "Idempotency-Key" in headers.shape);
		expect(taking.map(([, { method, path }]) => `${method} ${path}`).sort()).toEqual([
			"POST /v1/imports",
			"POST /v1/outros",
			"POST /v1/videos",
			"POST /v1/videos/{id}/clips",
		]);
		const { paths } = createOpenApiDocument({ serverUrl: "https://video.acme.test", part: "tenants" });
		const described = ["/v1/videos", "/v1/outros", "/v1/imports", "/v1/videos/{id}/clips"].flatMap((path) =>
			(paths[path]?.post?.parameters ?? []).filter((one) => "in" in one && one.in === "header"),
		);
		const header = { in: "header", name: "Idempotency-Key", schema: { minLength: 1, maxLength: 255 } };
		expect(described).toMatchObject([header, header, header, header]);
		// One example for all would be refused at the second of them.
		expect(new Set(described.map((one) => ("example" in one ? one.example : ""))).size).toBe(4);
	});

	it("says of every id its length and its pattern, in paths and in bodies", () => {
		const { paths, components } = createOpenApiDocument({ serverUrl: "https://video.acme.test", part: "all" });
		const form = { type: "string", minLength: 36, maxLength: 36, pattern: expect.stringContaining("[0-9a-fA-F]{8}") };
		const declared = [
			...Object.values(paths).flatMap((item) => Object.values(item)),
			{ parameters: Object.values(components.parameters ?? {}) },
		]
			.flatMap(({ parameters = [] }) => parameters)
			.filter((one) => "in" in one && one.in === "path" && one.name === "id");
		expect(declared.length).toBeGreaterThan(3);
		for (const one of declared) expect(one).toMatchObject({ schema: form });
		expect(components.schemas?.["Id"]).toMatchObject(form);
	});

	it("has every state and event that the specification names", () => {
		expect(videoStates).toEqual([
			"pending_upload",
			"uploaded",
			"queued",
			"locked",
			"encoding",
			"available",
			"failed",
			"timeout",
			"expired",
			"cancelled",
		]);
		expect(Object.keys(events)).toEqual([...eventTypes]);
	});
});
