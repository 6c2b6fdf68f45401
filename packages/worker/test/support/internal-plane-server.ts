import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
	type ErrorCode,
	errors,
	type Job,
	type JobPlan,
	type OutputUrls,
	type OutputUrlsRequest,
} from "@reelmill/contracts";

export type Call = {
	readonly route: string;
	readonly body: Record<string, unknown>;
	readonly headers: IncomingMessage["headers"];
};

type Overrides = {
	/** The bytes of the source. */
	source: Buffer;
	kind?: "video" | "outro" | "transcript";
	/** The mezzanine of the pinned outro. */
	outro?: Buffer;
	attempt?: number;
	/** How often the job is given out, each time as another attempt (default: 1). */
	offers?: number;
	renditions?: JobPlan["renditions"];
	plan?: Partial<JobPlan>;
	limits?: Partial<Job["limits"]>;
	playableFirst?: boolean;
	lockSeconds?: number;
	/** The port to listen on (default: a free one). */
	port?: number;
	/** The first answer with the source breaks off after so many bytes. */
	cutAfter?: number;
	/** The path on this server that the platform's bucket has for the source (default: the server sends the bytes). */
	bucket?: string;
	/** Returns where outputs may be put. Default: none, as a server of an earlier version. */
	outputUrls?: (body: OutputUrlsRequest) => OutputUrls;
	/** Returns the error code for a call of a route; undefined lets the call pass. */
	refuse?: (route: string, nth: number) => ErrorCode | undefined;
};

export const jobId = "0b8f3a52-6c1d-4e0f-9a7b-3c5d7e9f1a2b";
export const lock = "1c9f4b63-7d2e-4f1a-8b8c-4d6e8f0a2b3c";

/** Whose job it is. */
export const origin = {
	video_id: jobId,
	domain_id: "2d0a5c74-8e3f-4a2b-9c9d-5e7f9a1b3c4d",
	request_id: "order-4711",
};

const read = async (request: IncomingMessage): Promise<Buffer> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
};

/** Opens a server that speaks the internal plane for one job. It records every call and lets a test wait for one. */
export async function openInternalPlane(overrides: Overrides) {
	const calls: Call[] = [];
	const waiting: { matches: (call: Call) => boolean; resolve: (call: Call) => void }[] = [];
	const claims: ServerResponse[] = [];
	let archive: Buffer | undefined;
	let playable: Buffer | undefined;
	let offered = 0;
	const lockExpiry = () => new Date(Date.now() + (overrides.lockSeconds ?? 90) * 1000).toISOString();

	const routes: Record<string, (body: Buffer, request: IncomingMessage, response: ServerResponse) => unknown> = {
		"POST /internal/v1/token": () => ({
			token: "service-token",
			token_type: "Bearer",
			expires_at: new Date(Date.now() + 3600_000).toISOString(),
		}),
		"POST /internal/v1/jobs/claim": (body, _request, response) => {
			if ("fault" in JSON.parse(body.toString("utf8"))) return void response.writeHead(204).end();
			if (offered === (overrides.offers ?? 1)) {
				if (JSON.parse(body.toString("utf8")).wait_seconds <= 1) return void response.writeHead(204).end();
				return void claims.push(response);
			}
			offered += 1;
			return {
				...{
					id: jobId,
					kind: overrides.kind ?? "video",
					lock,
					lock_expires_at: lockExpiry(),
					attempt: overrides.attempt ?? offered,
				},
				...{
					source: { content_type: "video/mp4", file_size: overrides.source.length },
					limits: { max_duration_seconds: 60, max_decoded_pixels: 1920 * 1080 * 60 * 60, ...overrides.limits },
				},
				plan: {
					...{
						renditions: overrides.renditions ?? ["h264_720"],
						outputs: { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true },
					},
					...{ transcript: false, moderation_frames: false, watermark: false, outro_id: null },
					...overrides.plan,
				},
				speed: "balanced",
				playable_first: overrides.playableFirst ?? false,
				transcript: overrides.kind === "transcript" ? { duration_seconds: 2 } : null,
				outro: overrides.outro === undefined ? null : { file_size: overrides.outro.length },
				...origin,
			};
		},
		[`POST /internal/v1/jobs/${jobId}/heartbeat`]: () => ({ lock_expires_at: lockExpiry() }),
		[`GET /internal/v1/jobs/${jobId}/source`]: (_body, request, response) => {
			const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
			const { cutAfter, bucket } = overrides;
			if (bucket !== undefined)
				return void response
					.writeHead(302, { location: `http://${request.headers.host}${bucket}`, "reelmill-storage-owner": "platform" })
					.end();
			const source = (request.url?.endsWith("?part=outro") && overrides.outro) || overrides.source;
			response.writeHead(from > 0 ? 206 : 200, {
				"content-length": source.length - from,
				...(from > 0 ? { "content-range": `bytes ${from}-${source.length - 1}/${source.length}` } : {}),
			});
			if (from === 0 && cutAfter !== undefined) response.write(source.subarray(0, cutAfter), () => response.destroy());
			else response.end(source.subarray(from));
		},
		[`PUT /internal/v1/jobs/${jobId}/outputs`]: (body, request, response) => {
			if (request.url?.endsWith("&part=playable")) playable = body;
			else archive = body;
			response.writeHead(204).end();
		},
		...(overrides.outputUrls && {
			[`POST /internal/v1/jobs/${jobId}/output-urls`]: (body) =>
				overrides.outputUrls?.(JSON.parse(body.toString("utf8"))),
		}),
		[`POST /internal/v1/jobs/${jobId}/complete`]: () => ({ id: jobId, state: "available" }),
		[`POST /internal/v1/jobs/${jobId}/fail`]: () => ({ id: jobId, state: "failed" }),
	};

	const server = createServer(async (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
		if (pathname === overrides.bucket) return void response.end(overrides.source);
		const route = `${request.method} ${pathname}`;
		const bytes = await read(request).catch(() => Buffer.alloc(0));
		const json = request.headers["content-type"] === "application/json";
		const call = { route, body: json ? JSON.parse(bytes.toString("utf8")) : {}, headers: request.headers };
		calls.push(call);
		const handle = routes[route];
		const code =
			handle === undefined
				? "not_found"
				: overrides.refuse?.(
						searchParams.has("part") ? `${route}?part=${searchParams.get("part")}` : route,
						calls.filter((earlier) => earlier.route === route).length,
					);
		if (code !== undefined)
			response
				.writeHead(errors[code].status, { "content-type": "application/json" })
				.end(JSON.stringify({ error: code, message: code }));
		else {
			const answer = handle?.(bytes, request, response);
			if (answer !== undefined)
				response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
		}
		for (const { resolve } of waiting.filter(({ matches }) => matches(call))) resolve(call);
	});
	await new Promise<void>((resolve) => server.listen(overrides.port ?? 0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		calls,
		/** Returns the calls of one operation, by the end of its path. */
		of: (end: string) => calls.filter(({ route }) => route.endsWith(end)),
		/** Returns the first call that matches, an earlier or a later one. */
		seen(matches: (call: Call) => boolean): Promise<Call> {
			const earlier = calls.find(matches);
			return earlier ? Promise.resolve(earlier) : new Promise((resolve) => waiting.push({ matches, resolve }));
		},
		archive: () => archive,
		playable: () => playable,
		async close() {
			for (const claim of claims) claim.writeHead(204).end();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export type InternalPlaneServer = Awaited<ReturnType<typeof openInternalPlane>>;
