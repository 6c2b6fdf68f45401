import fc from "fast-check";
import { deliveredPaths } from "../world/files.ts";
import type { Body, HttpStep } from "./case.ts";

type More = Partial<Pick<HttpStep, "save" | "together" | "headers" | "body">>;

const json = (value: object): Body => ({ text: JSON.stringify(value) });
const step = (
	credential: string | null,
	method: string,
	path: string,
	{ headers = {}, body = null, ...more }: More = {},
): HttpStep => ({
	kind: "http",
	method,
	path,
	headers: {
		...(credential !== null && { authorization: `Bearer ${credential}` }),
		...(body !== null && !("content-type" in headers) && { "content-type": "application/json" }),
		...headers,
	},
	body,
	...more,
});
const tenant = "{{key#0}}";
const worker = "{{service#0}}";
const admin = "{{admin#0}}";
const stale = "11111111-1111-4111-8111-111111111111";
const size = 10;
const content = "0123456789";

/** The beginning of a case, and the steps that follow in any order, some of them at the same time. */
type Story = {
	readonly name: string;
	readonly begin: readonly HttpStep[];
	readonly after: readonly (HttpStep | readonly HttpStep[])[];
};

const initiate = (credential: string): HttpStep =>
	step(credential, "POST", "/v1/videos", {
		body: json({ content_type: "video/mp4", file_size: size }),
		save: { video: "video.id", token: "upload.token" },
	});
const tus = (method: string, path: string, more: Record<string, string>, text?: string): HttpStep =>
	step("{{$token}}", method, path, {
		headers: {
			"tus-resumable": "1.0.0",
			...(text !== undefined && { "content-type": "application/offset+octet-stream" }),
			...more,
		},
		body: text === undefined ? null : { text },
	});
const creation = (text?: string, id = "$video") =>
	tus("POST", "/uploads", { "upload-length": String(size), "upload-metadata": `video_id {{${id}|base64}}` }, text);
const append = (offset: number, text: string) =>
	tus("PATCH", "/uploads/{{$video}}", { "upload-offset": String(offset) }, text);

const uploading: Story = {
	name: "an upload",
	begin: [initiate(tenant)],
	after: [
		creation(),
		creation(content.slice(0, 4)),
		creation(content),
		append(0, content.slice(0, 4)),
		append(4, content.slice(4)),
		append(0, content),
		append(3, "x"),
		append(0, "x".repeat(20)),
		append(99, "x"),
		tus("HEAD", "/uploads/{{$video}}", {}),
		tus("DELETE", "/uploads/{{$video}}", {}),
		tus("POST", "/uploads/{{$video}}", { "x-http-method-override": "PATCH", "upload-offset": "0" }, content),
		tus("HEAD", "/uploads/{{foreign.video#0}}", {}),
		step("{{foreign.upload.token#0}}", "HEAD", "/uploads/{{$video}}", { headers: { "tus-resumable": "1.0.0" } }),
		step(tenant, "GET", "/v1/videos/{{$video}}"),
		step("{{foreign.key#0}}", "GET", "/v1/videos/{{$video}}"),
		step("{{foreign.key#0}}", "POST", "/v1/videos/{{$video}}/cancel"),
		step(tenant, "POST", "/v1/videos/{{$video}}/cancel"),
		step(tenant, "DELETE", "/v1/videos/{{$video}}"),
		step(worker, "POST", "/internal/v1/jobs/{{$video}}/claim", { body: json({ worker: "w" }) }),
	],
};

const outputs = (lock: string, fixture = "whole.zip") =>
	step(worker, "PUT", `/internal/v1/jobs/{{$video}}/outputs?lock=${lock}`, {
		headers: { "content-type": "application/zip" },
		body: { fixture },
	});
const complete = (lock: string, files: readonly string[] = deliveredPaths) =>
	step(worker, "POST", "/internal/v1/jobs/{{$video}}/complete", {
		body: json({
			lock,
			outputs: { files, renditions: [] },
			media: { duration_seconds: 1, width: 16, height: 16, transcript_status: "disabled", language: null },
		}),
	});
const heartbeat = (lock: string, progress: number) =>
	step(worker, "POST", "/internal/v1/jobs/{{$video}}/heartbeat", { body: json({ lock, progress }) });
const fail = (retryable: boolean) =>
	step(worker, "POST", "/internal/v1/jobs/{{$video}}/fail", {
		body: json({ lock: "{{$lock}}", reason: "storage_error", retryable }),
	});
const claim = step(worker, "POST", "/internal/v1/jobs/{{$video}}/claim", {
	body: json({ worker: "w" }),
	save: { lock: "lock" },
});
const chunks = {
	lock: "{{$lock}}",
	chunks: [{ first_frame: 0, end_frame: 60, digest: "a".repeat(64), speed: "balanced" }],
};

const working: Story = {
	name: "a job",
	begin: [initiate(tenant), creation(content), claim],
	after: [
		claim,
		heartbeat("{{$lock}}", 10),
		heartbeat("{{$lock}}", 5),
		heartbeat(stale, 10),
		[outputs("{{$lock}}"), complete("{{$lock}}")],
		[outputs("{{$lock}}"), complete("{{$lock}}")],
		outputs(stale),
		outputs("{{$lock}}", "traversal.zip"),
		outputs("{{$lock}}", "cut.zip"),
		complete("{{$lock}}"),
		complete(stale),
		complete("{{$lock}}", ["nothing.mp4"]),
		fail(true),
		fail(false),
		step(worker, "GET", "/internal/v1/jobs/{{$video}}/source", { headers: { range: "bytes=2-5" } }),
		step(worker, "GET", "/internal/v1/jobs/{{$video}}/source?part=outro"),
		step(worker, "POST", "/internal/v1/jobs/{{$video}}/output-urls", {
			body: json({ lock: "{{$lock}}", files: [{ path: "web.mp4", size: 10 }] }),
		}),
		[
			step(worker, "POST", "/internal/v1/jobs/{{$video}}/chunks", { body: json(chunks), save: { chunk: "data.0" } }),
			step(worker, "POST", "/internal/v1/jobs/{{$video}}/chunks/next", {
				body: json({ lock: "{{$lock}}", take: true }),
			}),
			step(worker, "GET", "/internal/v1/jobs/{{$video}}/parts?lock={{$lock}}&path=web.mp4"),
			step(worker, "POST", "/internal/v1/jobs/{{$chunk}}/claim", { body: json({ worker: "w" }) }),
			step(worker, "GET", "/internal/v1/jobs/{{$chunk}}/source"),
		],
		step(tenant, "POST", "/v1/videos/{{$video}}/cancel"),
		step(tenant, "DELETE", "/v1/videos/{{$video}}"),
		step(tenant, "GET", "/v1/videos/{{$video}}/report"),
		step(tenant, "PATCH", "/v1/videos/{{$video}}/visibility", { body: json({ visibility: "public" }) }),
		step(null, "GET", "/videos/{{$video}}/web.mp4"),
		step("{{playback#0}}", "GET", "/videos/{{$video}}/hls/master.m3u8"),
	],
};

const outro: Story = {
	name: "an outro",
	begin: [
		step(tenant, "POST", "/v1/outros", {
			body: json({ slug: "story", content_type: "video/mp4", file_size: size }),
			save: { video: "outro.id", token: "upload.token" },
		}),
		creation(content),
		claim,
	],
	after: [
		[
			outputs("{{$lock}}", "mezzanine.zip"),
			complete("{{$lock}}", ["mezzanine.mp4"]),
			step(tenant, "POST", "/v1/videos", {
				body: json({ content_type: "video/mp4", file_size: size, outro_slug: "story" }),
			}),
		],
		step(tenant, "POST", "/v1/outros", { body: json({ slug: "story", content_type: "video/mp4", file_size: size }) }),
		step(tenant, "GET", "/v1/outros/story"),
		step(tenant, "DELETE", "/v1/outros/story"),
		step(tenant, "PATCH", "/v1/domain/config", { body: json({ default_outro_slug: "story" }) }),
		step(tenant, "POST", "/v1/videos", {
			body: json({ content_type: "video/mp4", file_size: size, outro_slug: "story" }),
		}),
		tus("DELETE", "/uploads/{{$video}}", {}),
		fail(false),
	],
};

const playing: Story = {
	name: "playback keys",
	begin: [
		step(tenant, "POST", "/v1/playback-keys", {
			body: json({ viewer_ref: "story", video_ids: ["{{private#0}}"] }),
			save: { key: "playback_key" },
		}),
	],
	after: [
		step("{{$key}}", "GET", "/videos/{{private#0}}/web.mp4"),
		step("{{$key}}", "GET", "/videos/{{private#0}}/media/h264_720.mp4", { headers: { range: "bytes=1-" } }),
		step("{{$key}}", "GET", "/videos/{{foreign.private#0}}/web.mp4"),
		step("{{$key}}", "GET", "/videos/{{private#1}}/web.mp4"),
		step("{{$key}}", "GET", "/v1/videos"),
		step("{{foreign.playback#0}}", "GET", "/videos/{{private#0}}/web.mp4"),
		step(tenant, "POST", "/v1/playback-keys/revoke", { body: json({ viewer_ref: "story" }) }),
	],
};

const token = (secret: string) =>
	step(null, "POST", "/internal/v1/token", {
		body: json({ name: "story-{{unique#0}}", secret }),
		save: { token: "token" },
	});
const account: Story = {
	name: "a service account",
	begin: [
		step(admin, "POST", "/admin/v1/service-accounts", {
			body: json({ name: "story-{{unique#0}}" }),
			save: { account: "service_account.id", secret: "secret" },
		}),
		token("{{$secret}}"),
	],
	after: [
		token("{{$secret}}x"),
		step("{{$token}}", "POST", "/internal/v1/jobs/claim", { body: json({ worker: "w" }) }),
		step("{{$token}}", "GET", "/v1/domain"),
		step(admin, "POST", "/admin/v1/service-accounts/{{$account}}/rotate"),
		step(admin, "DELETE", "/admin/v1/service-accounts/{{$account}}"),
		step(admin, "POST", "/admin/v1/service-accounts", { body: json({ name: "story-{{unique#0}}" }) }),
	],
};

const domain: Story = {
	name: "a domain",
	begin: [
		step(admin, "POST", "/admin/v1/domains", {
			body: json({ slug: "story-{{unique#0}}" }),
			save: { domain: "domain.id", key: "api_key" },
		}),
	],
	after: [
		step("{{$key}}", "GET", "/v1/domain"),
		[
			step("{{$key}}", "POST", "/v1/domain/rotate-key", { save: { key: "api_key" } }),
			step("{{$key}}", "GET", "/v1/usage"),
		],
		step("{{$key}}", "POST", "/v1/playback-keys/revoke-all"),
		step("{{$key}}", "PUT", "/v1/domain/storage", {
			body: json({
				backend: "s3_tenant",
				endpoint: "http://127.0.0.1:9",
				bucket: "b",
				access_key_id: "a",
				secret_access_key: "canary-{{owner#0}}-storage",
			}),
		}),
		step("{{$key}}", "DELETE", "/v1/domain/storage"),
		initiate("{{$key}}"),
		step(admin, "PATCH", "/admin/v1/domains/{{$domain}}", { body: json({ limits: { daily_upload_bytes: 5 } }) }),
		step(admin, "POST", "/admin/v1/domains/{{$domain}}/rotate-key"),
		step(admin, "POST", "/admin/v1/domains", { body: json({ slug: "story-{{unique#0}}" }) }),
		step(admin, "DELETE", "/admin/v1/domains/{{$domain}}"),
	],
};

const sandbox: Story = {
	name: "a sandbox session",
	begin: [
		step(null, "POST", "/v1/sandbox/session", { save: { key: "api_key" } }),
		initiate("{{$key}}"),
		creation(content),
	],
	after: [
		step("{{$key}}", "GET", "/v1/videos"),
		step("{{$key}}", "GET", "/v1/limits"),
		step("{{$key}}", "GET", "/v1/domain"),
		step("{{$key}}", "GET", "/v1/videos/{{$video}}"),
		step("{{sandbox.key#p}}", "GET", "/v1/videos/{{$video}}"),
		step("{{$key}}", "POST", "/v1/videos", {
			body: json({ content_type: "video/mp4", file_size: size, uploader_ref: "same" }),
		}),
		step("{{$key}}", "POST", "/v1/playback-keys", {
			body: json({ viewer_ref: "v" }),
			save: { playback: "playback_key" },
		}),
		step("{{$playback}}", "GET", "/videos/{{private#0}}/web.mp4"),
		step("{{$key}}", "DELETE", "/v1/videos/{{$video}}"),
	],
};

const stories = [uploading, uploading, working, working, outro, playing, account, domain, sandbox];

/** The stories, each with its name. */
export const sequences: readonly { readonly name: string; readonly steps: fc.Arbitrary<HttpStep[]> }[] = stories.map(
	({ name, begin, after }) => ({
		name,
		steps: fc
			.array(fc.record({ next: fc.constantFrom(...after), together: fc.boolean() }), { minLength: 2, maxLength: 7 })
			.map((chosen) => [
				...begin,
				...chosen.flatMap(({ next, together }) => {
					const all = Array.isArray(next) ? (next as HttpStep[]) : [next as HttpStep];
					return all.map((one, index) => (together && index === all.length - 1 ? { ...one, together } : one));
				}),
			]),
	}),
);
