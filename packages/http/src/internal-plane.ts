import { tmpdir } from "node:os";
import { api, canonicalId, isUuidV4, limits, privateHeaders, ReelmillError } from "@reelmill/contracts";
import type { Clock, Engine, JobSource, Random } from "@reelmill/engine";
import { createGuess } from "./admission/guess.ts";
import { mediaTypeOf } from "./headers/media-type.ts";
import { readArchive } from "./internal/archive.ts";
import { createSpools, type Spools } from "./internal/spool.ts";
import { parseQuery } from "./json/parse.ts";
import { BodyInterrupted, bodyOf } from "./node/body.ts";
import type { Exchange } from "./node/exchange.ts";
import { sendRanged } from "./node/ranged.ts";
import { respond } from "./node/respond.ts";
import type { SendBytes } from "./node/send-bytes.ts";
import type { Plane } from "./plane.ts";

type Settings = {
	readonly archiveBytes: number | undefined;
	readonly spoolDirectory: string | undefined;
	readonly idleMilliseconds: number;
	readonly random: Random;
	readonly clock: Clock;
	readonly sendBytes: SendBytes;
};
/** Room for a zip's directory and headers besides its files. */
const overheadBytes = 16 * 1024 * 1024;
/** Tells who chose the storage that a redirect leads to: `platform` or `tenant`. */
const ownerHeader = "reelmill-storage-owner";
const route = /^\/internal\/v1\/jobs\/([^/]+)\/(source|outputs|parts)$/;

/** Returns whether the internal plane serves this request on the raw server. */
export const isBinaryRoute = (method: string | undefined, path: string): boolean => {
	const kind = route.exec(path)?.[2];
	return kind === "outputs" ? method === "PUT" : kind !== undefined && (method === "GET" || method === "HEAD");
};

/**
 * Creates the plane of the workers' binary routes: the source and the parts of chunks with Range, and the archive of
 * outputs.
 */
export function createInternalPlane(engine: Engine, settings: Settings): Plane {
	const spools = createSpools(settings.spoolDirectory ?? tmpdir(), settings.clock);
	return async (exchange) => {
		await engine.accounts.authenticate(
			exchange.authorization,
			createGuess(engine.rateLimits, api.getJobSource, exchange.clientKey),
		);
		const [, sent = "", kind] = route.exec(exchange.path) ?? [];
		const id = canonicalId(sent);
		if (!isUuidV4(id)) throw new ReelmillError("invalid_video_id");
		if (kind === "outputs") return receiveOutputs(engine, exchange, id, { ...settings, spools });
		return sendFile(
			exchange,
			kind === "source" ? await source(engine, exchange, id) : await part(engine, exchange, id),
			settings,
		);
	};
}

function source(engine: Engine, { query }: Exchange, id: string): Promise<JobSource> {
	const { part, path } = parseQuery(api.getJobSource, query) as { part: "source" | "outro"; path?: string };
	return part === "outro" ? engine.jobs.outro(id) : engine.jobs.source(id, path);
}

function part(engine: Engine, { query }: Exchange, id: string): Promise<JobSource> {
	return engine.jobs.part(id, parseQuery(api.getJobPart, query) as { lock: string; path: string });
}

async function sendFile(exchange: Exchange, source: JobSource, { sendBytes }: Settings): Promise<void> {
	// A presigned address is good for GET alone, so HEAD is answered here.
	if (source.elsewhere !== null && exchange.request.method === "GET") {
		const { url, owner } = source.elsewhere;
		return respond(exchange, { status: 302, headers: { ...privateHeaders, location: url, [ownerHeader]: owner } });
	}
	await sendRanged(exchange, source, { range: exchange.request.headers.range, headers: privateHeaders }, sendBytes);
}

async function receiveOutputs(
	engine: Engine,
	exchange: Exchange,
	id: string,
	settings: Settings & { readonly spools: Spools },
): Promise<void> {
	const { request, query, requestId } = exchange;
	const { lock, part } = parseQuery(api.putJobOutputs, query) as { lock: string; part: "whole" | "playable" };
	if (mediaTypeOf(request.headers["content-type"]) !== "application/zip") {
		throw new ReelmillError("bad_request", { status: 415, message: "The content type must be application/zip." });
	}
	const archiveBytes = settings.archiveBytes ?? limits.archiveBytes;
	const limit = archiveBytes + overheadBytes;
	if (Number(request.headers["content-length"] ?? 0) > limit) throw new ReelmillError("zip_too_large");
	const spool = { name: `reelmill-outputs-${settings.random.uuid()}.zip`, limit };
	try {
		await settings.spools.with(bodyOf(request, settings.idleMilliseconds), spool, async (spooled) => {
			const most = { bytes: archiveBytes, entries: await engine.jobs.mostEntries(id, lock) };
			await engine.jobs.replaceOutputs(id, lock, readArchive(spooled, most), part);
		});
	} catch (error) {
		if (error instanceof BodyInterrupted)
			throw new ReelmillError("bad_request", {
				status: 408,
				message: `${error.message} Nothing was stored.`,
				requestId,
				cause: error,
			});
		throw error;
	}
	await respond(exchange, { status: 204 });
}
