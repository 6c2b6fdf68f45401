import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { digestOf, sha256 } from "../../src/knowledge/base64url.ts";

/** A service made for these tests: it answers as the real one does, and can be told to lie, to lag and to be silent. */
export type MadeService = Awaited<ReturnType<typeof startMadeService>>;

type Visibility = "public" | "private";
type Video = {
	id: string;
	domain: string;
	session: string | null;
	visibility: Visibility;
	files: Map<string, { bytes: Buffer; type: string; etag: string }>;
};
export type Minted = {
	viewer?: string;
	videos?: readonly string[];
	session?: string;
	domain?: string;
	ttl?: number;
	claims?: Record<string, unknown>;
	algorithm?: "ES256" | "EdDSA";
};
export type Lie = "none" | "down" | "bad-signature" | "other-domain" | "other-body" | "frozen";

const encoder = new TextEncoder();
const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url");
const parametersOf = {
	ES256: { generate: { name: "ECDSA", namedCurve: "P-256" }, sign: { name: "ECDSA", hash: "SHA-256" } },
	EdDSA: { generate: { name: "Ed25519" }, sign: { name: "Ed25519" } },
} as const;

async function createSigner(algorithm: "ES256" | "EdDSA") {
	const { generate, sign } = parametersOf[algorithm];
	const pair = (await crypto.subtle.generateKey(generate, true, ["sign", "verify"])) as CryptoKeyPair;
	const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
	const kid = await sha256(`${x}`);
	const jwk = { kty, crv, x, ...(y !== undefined && { y }), kid, alg: algorithm, use: "sig" };
	const jws = async (payload: object): Promise<string> => {
		const text = `${base64url(JSON.stringify({ alg: algorithm, kid, typ: "JWT" }))}.${base64url(JSON.stringify(payload))}`;
		return `${text}.${base64url(new Uint8Array(await crypto.subtle.sign(sign, pair.privateKey, encoder.encode(text))))}`;
	};
	return { jwk, jws, kid, publicKey: pair.publicKey };
}

export async function startMadeService({ algorithm = "ES256" as "ES256" | "EdDSA", isTimeReal = false } = {}) {
	let signers = { ES256: await createSigner("ES256"), EdDSA: await createSigner("EdDSA") };
	const published = [signers.ES256, signers.EdDSA];
	const domains = [crypto.randomUUID(), crypto.randomUUID()] as [string, string];
	const domainState = new Map(
		domains.map((id) => [
			id,
			{
				epoch: 1,
				revoked: new Map<string, number>(),
				viewers: {} as Record<string, string>,
				videos: {} as Record<string, string>,
				generation: "g1",
				corsOrigins: [] as string[],
			},
		]),
	);
	const videos = new Map<string, Video>();
	const log: { method: string; path: string; headers: IncomingMessage["headers"] }[] = [];
	let order = 0;
	let count = 0;
	let passed = 0;
	const started = Math.floor(Date.now() / 1000);
	const now = () => (isTimeReal ? Math.floor(Date.now() / 1000) : started + passed);
	let lie: Lie = "none";
	let cuts = false;
	let hangsUp = false;
	let lagging: Map<string, Visibility | null> | null = null;
	const frozen = new Map<string, { body: string; proof: string }>();
	const stateOf = (domain: string) => domainState.get(domain) as NonNullable<ReturnType<typeof domainState.get>>;
	const version = () => `v${String(++count).padStart(7, "0")}`;
	const changed = async (video: Video) => {
		stateOf(video.domain).videos[await digestOf(video.id)] = version();
	};

	async function feed(domain: string): Promise<{ body: string; proof: string }> {
		const { epoch, viewers, videos: changes, generation } = stateOf(domain);
		const body = JSON.stringify({ domain, epoch, viewers, videos: changes, generation });
		const claims = { aud: "reelmill-edge", domain, sha256: await sha256(body), iat: now() };
		let proof = await signers[algorithm].jws(claims);
		if (lie === "bad-signature") proof = await (await createSigner(algorithm)).jws(claims);
		if (lie === "bad-signature")
			proof = proof.replace(
				/^[^.]+/,
				base64url(JSON.stringify({ alg: algorithm, kid: signers[algorithm].kid, typ: "JWT" })),
			);
		if (lie === "other-domain")
			proof = await signers[algorithm].jws({ ...claims, domain: domains[1] === domain ? domains[0] : domains[1] });
		if (lie === "other-body") return { body: body.replace("}", ',"AAAAAAAAAAAAAAAA":"x"}').replace("{,", "{"), proof };
		if (lie === "frozen") return frozen.get(domain) ?? { body, proof };
		frozen.set(domain, { body, proof });
		return { body, proof };
	}

	const exposed = "Content-Range, Content-Length, Accept-Ranges, ETag, X-Request-Id, Retry-After, WWW-Authenticate";
	const open = {
		"access-control-allow-origin": "*",
		"access-control-expose-headers": exposed,
		"content-security-policy": "default-src 'none'; sandbox",
		"x-content-type-options": "nosniff",
	};
	const problem = (response: ServerResponse, status: number, error: string, more: Record<string, string> = {}) => {
		const text = JSON.stringify({ error, message: `The ${error}.` });
		return response
			.writeHead(status, {
				"x-request-id": crypto.randomUUID(),
				...open,
				"content-type": "application/json; charset=utf-8",
				"cache-control": "no-store",
				...(status === 401 && { "www-authenticate": "Bearer" }),
				"content-length": text.length,
				...more,
			})
			.end(text);
	};

	async function opens(token: string, video: Video): Promise<boolean> {
		const [head = "", body = "", tail = ""] = token.split(".");
		try {
			const { kid, alg } = JSON.parse(Buffer.from(head, "base64url").toString());
			const signer = published.find((one) => one.kid === kid && one.jwk.alg === alg);
			if (signer === undefined) return false;
			const genuine = await crypto.subtle.verify(
				parametersOf[alg as "ES256"].sign,
				signer.publicKey,
				Buffer.from(tail, "base64url"),
				encoder.encode(`${head}.${body}`),
			);
			const claims = JSON.parse(Buffer.from(body, "base64url").toString());
			return (
				genuine &&
				claims.aud === "service-playback" &&
				claims.exp > now() &&
				claims.domain === video.domain &&
				claims.epoch >= stateOf(video.domain).epoch &&
				(claims.session ?? null) === video.session &&
				claims.order > (stateOf(video.domain).revoked.get(claims.viewer) ?? 0) &&
				(claims.videos?.includes(video.id) ?? true)
			);
		} catch {
			return false;
		}
	}

	async function deliver(request: IncomingMessage, response: ServerResponse, target: string): Promise<unknown> {
		const { method = "GET", headers } = request;
		if (method === "OPTIONS")
			return response
				.writeHead(204, {
					"x-request-id": crypto.randomUUID(),
					...open,
					"access-control-allow-methods": "GET, HEAD",
					"access-control-allow-headers": "Authorization, Range, If-None-Match, If-Range, X-Request-Id",
					"access-control-max-age": "7200",
				})
				.end();
		if (method !== "GET" && method !== "HEAD") return problem(response, 404, "not_found");
		const [path = "", query = ""] = target.split("?");
		const match = /^\/videos\/([0-9a-fA-F-]{36})\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/?)+)$/.exec(path);
		if (match === null) return problem(response, 400, "invalid_path");
		const [, id = "", file = ""] = match;
		const found = videos.get(id.toLowerCase());
		const seen = lagging?.has(id) ? lagging.get(id) : (found?.visibility ?? null);
		const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
		if (seen !== "public") {
			if (headers.authorization === undefined) return problem(response, 401, "playback_key_required");
			if (found === undefined || seen === null || token === undefined || !(await opens(token, found)))
				return problem(response, 401, "playback_key_invalid");
		}
		const sent = found?.files.get(file);
		if (found === undefined || sent === undefined) return problem(response, 404, "not_found");
		const { corsOrigins } = stateOf(found.domain);
		const described: Record<string, string> = {
			...open,
			"cache-control":
				seen !== "public" ? "private, no-cache" : query.startsWith("v=") ? "public, no-cache" : "public, max-age=86400",
			etag: sent.etag,
			"reelmill-domain": await digestOf(found.domain),
			...(seen !== "public" && { vary: "Authorization, Origin" }),
		};
		if (corsOrigins.length > 0) {
			described["vary"] = seen === "public" ? "Origin" : "Authorization, Origin";
			if (corsOrigins.includes(headers.origin ?? ""))
				described["access-control-allow-origin"] = headers.origin as string;
			else delete described["access-control-allow-origin"];
		}
		const requestId = { "x-request-id": crypto.randomUUID() };
		if (headers["if-none-match"] === sent.etag) return response.writeHead(304, { ...requestId, ...described }).end();
		const whole = { ...requestId, "content-type": sent.type, "accept-ranges": "bytes", ...described };
		const size = sent.bytes.length;
		const stands = headers["if-range"] === undefined || headers["if-range"] === sent.etag;
		const range = stands && method === "GET" ? /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") : null;
		if (range === null || (range[1] === "" && range[2] === "")) {
			response.writeHead(200, { ...whole, "content-length": size });
			return response.end(method === "HEAD" ? undefined : sent.bytes);
		}
		const start = range[1] === "" ? Math.max(size - Number(range[2]), 0) : Number(range[1]);
		const end = range[1] === "" || range[2] === "" ? size - 1 : Math.min(Number(range[2]), size - 1);
		if (start >= size) return problem(response, 416, "bad_request", { "content-range": `bytes */${size}` });
		response.writeHead(206, {
			...whole,
			"content-length": end - start + 1,
			"content-range": `bytes ${start}-${end}/${size}`,
		});
		const part = sent.bytes.subarray(start, end + 1);
		if (!cuts) return response.end(part);
		cuts = false;
		return response.write(part.subarray(0, part.length / 2), () => response.destroy());
	}

	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
		const target = request.url ?? "";
		if (hangsUp) {
			hangsUp = false;
			return request.socket.destroy();
		}
		log.push({ method: request.method ?? "", path: target, headers: request.headers });
		if (target === "/v1/playback-keys/jwks.json")
			return response
				.writeHead(200, { "content-type": "application/json" })
				.end(JSON.stringify({ keys: published.map(({ jwk }) => jwk) }));
		const domain = /^\/v1\/edge\/(.+)$/.exec(target)?.[1];
		if (domain !== undefined) {
			if (lie === "down") return response.destroy();
			if (!domainState.has(domain)) return problem(response, 404, "not_found");
			const { body, proof } = await feed(domain);
			const etag = `"${await sha256(body)}"`;
			const isSame = request.headers["if-none-match"] === etag;
			return response
				.writeHead(isSame ? 304 : 200, { etag, "reelmill-edge-proof": proof })
				.end(isSame ? undefined : body);
		}
		return deliver(request, response, target);
	};
	const server = createServer((request, response) => void answer(request, response));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		domains,
		log,
		/** The requests for files since the last call, as "GET path range". */
		taken(): string[] {
			return log
				.splice(0)
				.filter(({ path }) => path.startsWith("/videos/"))
				.map(({ method, path, headers }) => [method, path, headers.range].filter(Boolean).join(" "));
		},
		video({
			domain = domains[0],
			visibility = "private" as Visibility,
			session = null as string | null,
			files = {} as Record<string, Buffer>,
		} = {}) {
			const id = crypto.randomUUID();
			const made = Object.entries({
				"web.mp4": Buffer.from("0123456789"),
				"hls/master.m3u8": Buffer.from("#EXTM3U\n"),
				...files,
			});
			videos.set(id, {
				id,
				domain,
				session,
				visibility,
				files: new Map(
					made.map(([path, bytes]) => [
						path,
						{
							bytes,
							type: path.endsWith(".m3u8") ? "application/vnd.apple.mpegurl" : "video/mp4",
							etag: `"${++count}-${base64url(path)}"`,
						},
					]),
				),
			});
			return id;
		},
		/** Changes what a video's file is, without a word in the feed. */
		replace(id: string, path: string, bytes: Buffer) {
			(videos.get(id) as Video).files.set(path, { bytes, type: "video/mp4", etag: `"${++count}-other"` });
		},
		async setVisibility(id: string, visibility: Visibility) {
			const video = videos.get(id) as Video;
			video.visibility = visibility;
			await changed(video);
		},
		async delete(id: string) {
			const video = videos.get(id) as Video;
			videos.delete(id);
			await changed(video);
		},
		/** From now on this server acts by what was true of these videos at this moment, until `catchUp`. */
		lag: (...ids: string[]) => {
			lagging = new Map(ids.map((id) => [id, videos.get(id)?.visibility ?? null]));
		},
		catchUp: () => {
			lagging = null;
		},
		revoke(viewer: string, domain = domains[0]) {
			stateOf(domain).revoked.set(viewer, ++order);
			stateOf(domain).viewers[viewer] = version();
		},
		revokeAll(domain = domains[0]) {
			stateOf(domain).epoch += 1;
		},
		allowOrigins(origins: string[], domain = domains[0]) {
			stateOf(domain).corsOrigins = origins;
		},
		/** Lets all changes of the domain's videos leave the feed early. */
		nextGeneration(domain = domains[0]) {
			stateOf(domain).generation = version();
			stateOf(domain).videos = {};
		},
		setLie: (next: Lie) => {
			lie = next;
		},
		/** Ends the connection of the next request, as if it had been idle for too long. */
		hangUpNext: () => {
			hangsUp = true;
		},
		/** Breaks off in the midst of the next part of a file that it sends. */
		cutNext: () => {
			cuts = true;
		},
		/** Signs with another key from now on; the one before stays good. */
		async rotate() {
			signers = { ES256: await createSigner("ES256"), EdDSA: await createSigner("EdDSA") };
			published.push(signers.ES256, signers.EdDSA);
		},
		advance: (by: number) => {
			passed += by;
		},
		now,
		async mint({
			viewer = "viewer-pseudonym",
			videos: narrowed,
			session,
			domain = domains[0],
			ttl = 3600,
			claims = {},
			algorithm: chosen = algorithm,
		}: Minted = {}) {
			return signers[chosen].jws({
				aud: "service-playback",
				sub: "ann@example.com",
				domain,
				epoch: stateOf(domain).epoch,
				order: ++order,
				viewer,
				...(session !== undefined && { session }),
				...(narrowed !== undefined && { videos: narrowed }),
				iat: now(),
				exp: now() + ttl,
				...claims,
			});
		},
		close: () => {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(resolve));
		},
	};
}
