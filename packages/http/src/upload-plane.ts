import { canonicalId, isReelmillError, ReelmillError } from "@reelmill/contracts";
import type { Engine, UploadPrincipal } from "@reelmill/engine";
import type { Locker } from "@tus/utils";
import { exposedByUploads } from "./headers/any-origin.ts";
import { BodyInterrupted, bodyOf } from "./node/body.ts";
import type { Exchange } from "./node/exchange.ts";
import { respond } from "./node/respond.ts";
import type { Plane } from "./plane.ts";
import { allowedOrigin, preflightHeaders } from "./upload/cors.ts";
import { checkProtocol } from "./upload/refusals.ts";
import { EngineDataStore } from "./upload/store.ts";
import { runTus } from "./upload/tus.ts";

type Settings = { readonly baseUrl: string; readonly idleMilliseconds: number; readonly locker: Locker };
const passedOn = ["location", "tus-resumable", "upload-offset", "upload-length", "upload-metadata", "cache-control"];

/** Creates the plane that serves tus 1.0.0 under /uploads to holders of an upload token. */
export function createUploadPlane(engine: Engine, settings: Settings): Plane {
	const serve = async (exchange: Exchange): Promise<void> => {
		const { request, response, path, authorization } = exchange;
		const method = methodOf(exchange);
		if (method === "OPTIONS") return respond(exchange, { status: 204, headers: preflightHeaders });
		response.setHeader("access-control-allow-origin", "*");
		response.setHeader("access-control-expose-headers", exposedByUploads);
		response.setHeader("x-content-type-options", "nosniff");
		response.setHeader("tus-resumable", "1.0.0");
		const principal = await engine.uploads.authenticate(authorization);
		await restrictOrigin(engine, exchange, principal);
		const header = (name: string): string | undefined => request.headers[name]?.toString();
		checkTarget(method, path, principal);
		if (method === "PATCH") await engine.rateLimits.take("uploadChunk", principal.videoId);
		response.setHeader("tus-version", "1.0.0");
		checkProtocol(method, header);
		const letGo = new AbortController();
		const body = {
			bytes: untilInterrupted(bodyOf(request, settings.idleMilliseconds, letGo.signal)),
			isMeasured: header("content-length") !== undefined,
		};
		const store = new EngineDataStore(engine.uploads, principal, body);
		const locker = lettingGo(settings.locker, () => letGo.abort());
		const answer = await runTus(store, locker, settings.baseUrl, { method, videoId: principal.videoId, header });
		for (const name of passedOn) {
			const value = answer.headers.get(name);
			if (value !== null) response.setHeader(name, value);
		}
		const { status } = store;
		const offset = Number(answer.headers.get("upload-offset") ?? status?.offset);
		if (status !== undefined && offset < status.length)
			response.setHeader("upload-expires", status.expiresAt.toUTCString());
		return respond(exchange, { status: answer.status });
	};
	return (exchange) => serve(exchange).catch((error: unknown) => refuse(exchange, error));
}

/**
 * Throws the error after it has set Upload-Complete, a header of the drafts of resumable uploads for HTTP, and
 * Upload-End. An answer to HEAD has no body, so the headers tell whether the upload is complete and how it ended.
 */
function refuse({ response }: Exchange, error: unknown): never {
	if (isReelmillError(error, "upload_not_pending") && !response.headersSent) {
		const { upload_complete: isComplete, upload_end: end } = error.extras;
		response.setHeader("upload-complete", isComplete === true ? "?1" : "?0");
		if (end !== undefined) response.setHeader("upload-end", end);
	}
	throw error;
}

function methodOf({ request }: Exchange): string {
	const override = request.headers["x-http-method-override"];
	return request.method === "POST" && typeof override === "string" ? override.toUpperCase() : (request.method ?? "GET");
}

/**
 * Throws `not_found` unless the request is POST on the endpoint, or HEAD, PATCH or DELETE on the upload's own URL. GET
 * is refused everywhere: @tus/server would answer it with the raw file.
 */
function checkTarget(method: string, path: string, principal: UploadPrincipal): void {
	const id = /^\/uploads\/([^/]+)$/.exec(path)?.[1];
	const isEndpoint = path === "/uploads" || path === "/uploads/";
	if (method === "POST" ? !isEndpoint : !["HEAD", "PATCH", "DELETE"].includes(method) || id === undefined)
		throw new ReelmillError("not_found");
	if (id !== undefined && canonicalId(id) !== principal.videoId) throw new ReelmillError("unauthorized");
}

async function restrictOrigin(
	engine: Engine,
	{ request, response }: Exchange,
	{ domainId }: UploadPrincipal,
): Promise<void> {
	const { origin } = request.headers;
	if (origin === undefined) return;
	const { config } = await engine.domains.get(domainId).catch((error: unknown) => {
		// A domain that was deleted since the token was verified took its videos along.
		throw isReelmillError(error, "domain_not_found") ? new ReelmillError("video_not_found") : error;
	});
	const allowed = allowedOrigin(config.cors_origins, origin);
	if (allowed === undefined) response.removeHeader("access-control-allow-origin");
	else response.setHeader("access-control-allow-origin", allowed);
	if (config.cors_origins.length > 0) response.setHeader("vary", "Origin");
}

/** Ends the bytes in good order when the body is interrupted: what arrived counts as a shorter chunk. */
async function* untilInterrupted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	try {
		yield* bytes;
	} catch (error) {
		if (!(error instanceof BodyInterrupted)) throw error;
	}
}

/**
 * Returns a locker whose locks call `letGo` when another request asks for them. @tus/server's own reaction would give
 * up a write that has not begun, and lose bytes that have arrived.
 */
const lettingGo = (locker: Locker, letGo: () => void): Locker => ({
	newLock(id) {
		const lock = locker.newLock(id);
		return { lock: (signal) => lock.lock(signal, letGo), unlock: () => lock.unlock() };
	},
});
