import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreatedVideo } from "@reelmill/contracts";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { type CollectedSpan, startCollector } from "../../../packages/opentelemetry/test/support/collector.ts";
import { runServer } from "./support/running-server.ts";
import { runTranscoder } from "./support/transcoder-process.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

const clipPath = fileURLToPath(new URL("../../../examples/demo/assets/clip.mp4", import.meta.url));
const adminKey = "an-admin-key-of-more-than-32-characters";
const callers = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };

async function openDirectory() {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-tracing-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(database.close);
	return { directory, database };
}

/** Answers every webhook, and keeps its headers. */
async function startReceiver() {
	const received: Readonly<Record<string, string | string[] | undefined>>[] = [];
	const server = createServer((request, response) => {
		received.push(request.headers);
		request.resume().on("end", () => response.end());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	cleanUp.push(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks-of-a-tenant` };
}

async function startServer(settings: Record<string, string>, more: Record<string, string>) {
	const { directory, database } = await openDirectory();
	const server = await runServer(directory, database.url, settings, "any", more);
	cleanUp.push(async () => {
		server.child.kill("SIGTERM");
		await server.ended;
	});
	return { ...server, directory };
}

it("records one trace from initiate to the delivered webhook", async () => {
	const collector = await startCollector();
	cleanUp.push(collector.close);
	const receiver = await startReceiver();
	const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address };
	const settings = { ADMIN_KEY: adminKey, WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", LOG_LEVEL: "debug" };
	const { url, auth, directory, log } = await startServer(settings, tracing);
	const call = async (method: string, path: string, body: object, more: Record<string, string> = {}) => {
		const headers = { ...auth, "content-type": "application/json", ...more };
		const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
		expect(answer.status).toBeLessThan(300);
		return answer.json();
	};
	const account = (await call(
		"POST",
		"/admin/v1/service-accounts",
		{ name: "traced" },
		{ authorization: `Bearer ${adminKey}` },
	)) as { readonly secret: string };
	const transcoder = runTranscoder({
		...tracing,
		REELMILL_API_URL: url,
		REELMILL_SERVICE_NAME: "traced",
		REELMILL_SERVICE_SECRET: account.secret,
		REELMILL_WORKDIR: join(directory, "work"),
	});
	cleanUp.push(transcoder.stop);
	const webhookSecret = `whsec_${"s".repeat(40)}`;
	const config = { webhook_url: receiver.url, webhook_secret: webhookSecret, renditions: ["h264_720"] };
	await call("PATCH", "/v1/domain/config", config);

	const clip = await readFile(clipPath);
	const { video, upload } = (await call(
		"POST",
		"/v1/videos",
		{ content_type: "video/mp4", file_size: clip.length, external_ref: "text-of-a-tenant" },
		{ traceparent: `00-${callers.trace}-${callers.span}-01` },
	)) as CreatedVideo;
	const uploaded = await fetch(upload.endpoint, {
		method: "POST",
		headers: {
			"tus-resumable": "1.0.0",
			...offsetType,
			"upload-length": String(clip.length),
			"upload-metadata": metadata(video.id),
			authorization: `Bearer ${upload.token}`,
		},
		body: clip,
	});
	expect(uploaded.status).toBe(201);

	await expect.poll(() => receiver.received.length).toBe(1);
	const [, traceId, webhookSpan] = String(receiver.received[0]?.traceparent).split("-");
	const spans = () => collector.spans.filter((span) => span.traceId === traceId);
	const named = (name: string): CollectedSpan[] => spans().filter((span) => span.name === name);
	const one = (name: string): CollectedSpan => {
		const [found, ...others] = named(name);
		if (found === undefined || others.length > 0) throw new Error(`There are ${named(name).length} spans ${name}.`);
		return found;
	};
	const complete = "POST /internal/v1/jobs/{id}/complete";
	await expect.poll(() => ["POST webhook", "job video", complete].map((name) => named(name).length)).toEqual([1, 1, 2]);

	const root = one("POST /v1/videos");
	expect(root).toMatchObject({ service: "reelmill-server", kind: "server" });
	expect(root.parentSpanId ?? "").toBe("");
	expect(root.attributes).toEqual({
		"http.request.method": "POST",
		"http.route": "/v1/videos",
		"http.response.status_code": 201,
	});
	// A stranger chooses no trace of ours; the two are linked.
	expect(root.traceId).not.toBe(callers.trace);
	expect(root.links).toMatchObject([{ traceId: callers.trace, spanId: callers.span }]);

	const parentOf = ({ parentSpanId }: CollectedSpan) => spans().find(({ spanId }) => spanId === parentSpanId);
	const path = (span: CollectedSpan | undefined): string[] =>
		span === undefined ? [] : [...path(parentOf(span)), span.name];
	const create = one("videos.create");
	const made = ["POST /v1/videos", "videos.create"];
	expect(path(create)).toEqual(made);
	const statement = one("SELECT reelmill.initiate_upload");
	expect(path(statement)).toEqual([...made, "SELECT reelmill.initiate_upload"]);
	expect(statement).toMatchObject({ kind: "client", attributes: { "db.system.name": "postgresql" } });
	expect(statement.attributes["db.query.text"]).toContain("$1");

	expect(path(one("POST /uploads"))).toEqual([...made, "POST /uploads"]);
	expect(path(one("uploads.append"))).toEqual([...made, "POST /uploads", "uploads.append"]);

	const job = one("job video");
	expect(job).toMatchObject({ service: "reelmill-transcoder", kind: "consumer" });
	expect(path(job)).toEqual([...made, "job video"]);
	expect(job.attributes["reelmill.video.id"]).toBe(video.id);
	const programs = named("ffmpeg");
	expect(programs.length).toBeGreaterThan(0);
	for (const program of programs) {
		expect(path(program)).toEqual([...made, "job video", "ffmpeg"]);
		expect(program.attributes).toEqual({ "process.executable.name": "ffmpeg" });
	}

	const [asked, answered] = [
		named(complete).find(({ kind }) => kind === "client"),
		named(complete).find(({ kind }) => kind === "server"),
	];
	expect(path(asked)).toEqual([...made, "job video", complete]);
	expect(path(answered)).toEqual([...made, "job video", complete, complete]);
	expect([asked?.service, answered?.service]).toEqual(["reelmill-transcoder", "reelmill-server"]);

	const attempt = one("POST webhook");
	expect(path(attempt)).toEqual([...made, "POST webhook"]);
	expect(attempt).toMatchObject({ spanId: webhookSpan, service: "reelmill-server", kind: "client" });
	expect(attempt.attributes).toMatchObject({
		"http.request.method": "POST",
		"http.response.status_code": 200,
		"reelmill.video.id": video.id,
		"reelmill.delivery.attempt": 1,
	});
	expect(spans().filter(({ status }) => status?.code === 2)).toEqual([]);

	for (const secret of [
		auth.authorization.slice("Bearer ".length),
		adminKey,
		account.secret,
		upload.token,
		webhookSecret,
		"text-of-a-tenant",
		"hooks-of-a-tenant",
	])
		expect(collector.text()).not.toContain(secret);

	const traced = log().filter((line) => "trace_id" in line && line.trace_id === traceId);
	expect(traced).toContainEqual(expect.objectContaining({ msg: "request", path: "/v1/videos", span_id: root.spanId }));
	expect(transcoder.said()).toContain(`"trace_id":"${traceId}","span_id":"${job.spanId}","msg":"job completed"`);
});

/**
 * Says on standard error which modules of OpenTelemetry a program loads. Its API is left out: the tus library loads
 * that if it is installed, and it does nothing by itself.
 */
const spy = `data:text/javascript,${encodeURIComponent(`
	import { registerHooks } from "node:module";
	registerHooks({
		load(url, context, next) {
			if (/node_modules.@opentelemetry.(?!api)|packages.opentelemetry/.test(url)) process.stderr.write("loads " + url + "\\n");
			return next(url, context);
		},
	});`)}`;

it.each([
	["nothing of OpenTelemetry", "no collector is named", {}, false],
	["OpenTelemetry", "a collector is named", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, true],
])("loads %s where %s", async (_what, _where, tracing, loads) => {
	const more: Record<string, string> = { NODE_OPTIONS: `--import ${spy}`, ...tracing };
	const { url, complaints } = await startServer({}, more);
	expect((await fetch(`${url}/v1/videos`)).status).toBe(401);
	expect(complaints().includes("loads file:")).toBe(loads);

	const transcoder = runTranscoder({
		...more,
		REELMILL_API_URL: url,
		REELMILL_SERVICE_NAME: "traced",
		REELMILL_SERVICE_SECRET: "a secret that is refused",
	});
	cleanUp.push(transcoder.stop);
	await expect.poll(transcoder.said).toContain("jobs can't be claimed");
	expect(transcoder.said().includes("loads file:")).toBe(loads);
});
