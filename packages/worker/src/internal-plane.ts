import { ConnectionError, createClient, errorFromAnswer, isReelmillError } from "@reelmill/client";
import type { Chunk, Chunks, CompleteRequest, FailRequest, Job, OutputFile, Probe } from "@reelmill/contracts";

/** A service token as the server issues it; `expires_at` is a moment of the server's clock. */
export type IssueToken = () => Promise<{ readonly token: string; readonly expires_at: string }>;

/** How a worker comes by its tokens: over the network for the service account's secret, or from who may issue them. */
export type TokenSource = { readonly secret: string } | { readonly issueToken: IssueToken };

export type InternalPlaneOptions = TokenSource & {
	/** Where the service is; a path before `/internal/v1` is kept. */
	readonly apiUrl: string;
	/** Of the service account. */
	readonly name: string;
	readonly fetch?: typeof fetch;
	/** For addresses in tenants' buckets, which may lead anywhere; without it none is followed. */
	readonly fetchFromTenants?: typeof fetch;
};

/** The bytes are at an address that a tenant named, and there is no guard to follow it through. */
export class UnguardedError extends Error {
	override readonly name = "UnguardedError";
}

/** Where one output may be put. */
export type OutputTarget = {
	readonly path: string;
	/**
	 * Stores the bytes whole, which are as many as were named, or rejects; then there is nothing, or what a put before it
	 * stored.
	 */
	put(bytes: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void>;
};

/** A lock, and for how many more milliseconds it is held from now, whatever this machine's clock says. */
export type Held = { readonly remaining: number };

/**
 * The worker's side of the internal plane. Every method is one request (with its token), never retried here; each
 * rejects with ReelmillError or ConnectionError.
 */
export type InternalPlane = {
	/**
	 * The next job, or null where none came up within `waitSeconds`. A server of a version before chunks, transcripts or
	 * `takesSandbox` is not told of them.
	 */
	claim(worker: string, claim: Claim, signal: AbortSignal): Promise<(Job & Held) | null>;
	heartbeat(job: Job, beat: { progress: number; probe?: Probe }, signal: AbortSignal): Promise<Held>;
	/**
	 * The source, or the pinned outro's mezzanine, from byte `from` on, from the server or the bucket that it is sent to,
	 * which gets no credentials. Any status below 300 comes back, its body unread. Rejects with an {@link UnguardedError}
	 * for a tenant's bucket where there is no `fetchFromTenants`.
	 */
	source(job: Job, from: number, signal: AbortSignal, part?: "outro"): Promise<Response>;
	/**
	 * Where these files may be put, a bucket, for some minutes; null where they go to the server as an archive alone. The
	 * bucket gets no credentials.
	 */
	outputTargets(job: Job, files: readonly OutputFile[], signal: AbortSignal): Promise<OutputTarget[] | null>;
	/** With `playable`, what can be played before the job is done, apart from its outputs. */
	putOutputs(job: Job, archive: ReadableStream<Uint8Array>, signal: AbortSignal, part?: "playable"): Promise<void>;
	complete(job: Job, body: Omit<CompleteRequest, "lock">, signal: AbortSignal): Promise<void>;
	fail(job: Job, body: Omit<FailRequest, "lock">, signal: AbortSignal): Promise<void>;
	/** Offers chunks of a video's job; their ids, in order. */
	offerChunks(job: Job, chunks: readonly Chunk[], signal: AbortSignal): Promise<readonly string[]>;
	/** How they stand; with `take`, one that nobody has is this worker's. */
	nextChunk(job: Job, take: boolean, signal: AbortSignal): Promise<Chunks>;
	/** A file of a chunk that is done, as `source` gives the source. */
	part(
		job: Job,
		part: { readonly chunk: string; readonly path: string },
		from: number,
		signal: AbortSignal,
	): Promise<Response>;
};

export type Claim = {
	readonly waitSeconds: number;
	readonly takesChunks: boolean;
	readonly takesTranscripts: boolean;
	readonly takesSandbox: boolean;
	readonly machine: string;
};

/** A token is renewed so many milliseconds before it ends. */
const renewBefore = 60_000;

/**
 * Opens nothing until the first call. Tokens are fetched when needed, kept until shortly before they end, and fetched
 * anew once when the server refuses one.
 */
export function createInternalPlane(options: InternalPlaneOptions): InternalPlane {
	const base = options.apiUrl.replace(/(?<!\/)\/+$/, "");
	/** The server's time less this process's steady one, which no clock that is set can change. */
	// biome-ignore lint/plugin: a first guess, which the first answer mends
	let serverAhead = Date.now() - performance.now();
	const send: typeof fetch = async (input, init) => {
		const response = await (options.fetch ?? fetch)(input, init);
		const date = Date.parse(response.headers.get("date") ?? "");
		// The header counts whole seconds: half a second is the best guess at the rest, and what was known before is better
		// where it agrees.
		const ahead = date + 500 - performance.now();
		if (Math.abs(ahead - serverAhead) >= 1500) serverAhead = ahead;
		return response;
	};
	const remaining = (moment: string): number => Date.parse(moment) - (performance.now() + serverAhead);

	const settings = { baseUrl: options.apiUrl, fetch: send, retry: { limit: 0 } };
	/**
	 * The last token that was given: shown with the secret while it is valid, it makes the request a renewal, which
	 * nobody else at this address can use up.
	 */
	let held: string | undefined;
	const issueToken: IssueToken =
		"issueToken" in options
			? options.issueToken
			: async () => {
					const issuer = createClient({ ...settings, ...(held !== undefined && { credential: held }) });
					const answer = await issuer.call("issueServiceToken", {
						body: { name: options.name, secret: options.secret },
					});
					held = answer.token;
					return answer;
				};
	let token: Promise<{ value: string; until: number }> | undefined;
	const credential = async (): Promise<string> => {
		const current = await token?.catch(() => undefined);
		if (current === undefined || performance.now() > current.until) {
			token = issueToken().then((answer) => ({
				value: answer.token,
				until: performance.now() + remaining(answer.expires_at) - renewBefore,
			}));
			return (await token).value;
		}
		return current.value;
	};
	const client = createClient({ ...settings, credential });

	/** A token may end early: keys change, accounts are rotated. One fresh token tells that from a refusal. */
	const withFreshToken = async <T>(request: () => Promise<T>): Promise<T> => {
		try {
			return await request();
		} catch (error) {
			if (!isReelmillError(error, "unauthorized")) throw error;
			token = undefined;
			return request();
		}
	};
	const stream = async (path: string, init: RequestInit & { duplex?: "half" }): Promise<Response> => {
		const headers = new Headers(init.headers);
		headers.set("authorization", `Bearer ${await credential()}`);
		const url = `${base}${path}`;
		const response = await send(url, { ...init, headers }).catch((cause: unknown) => {
			if (init.signal?.aborted) throw init.signal.reason;
			throw new ConnectionError(
				"unreachable",
				`${init.method} ${url} got no answer: the server is not reachable or the connection broke.`,
				{ cause },
			);
		});
		if (response.ok || isRedirect(response)) return response;
		const body = await response.text().catch(() => "");
		throw errorFromAnswer({ status: response.status, body, requestId: response.headers.get("x-request-id") });
	};

	/** Undefined where the way to that bucket isn't to be gone. */
	const followerOf = (owner: string | null): typeof fetch | undefined =>
		owner === "platform" ? (options.fetch ?? fetch) : options.fetchFromTenants;

	/** The bytes from `from` on, from the server or the bucket that it sends to. */
	const fetchFile = async (path: string, from: number, signal: AbortSignal): Promise<Response> => {
		const init: RequestInit = { method: "GET", headers: from === 0 ? {} : { range: `bytes=${from}-` }, signal };
		const response = await withFreshToken(() => stream(path, { ...init, redirect: "manual" }));
		if (!isRedirect(response)) return response;
		await response.body?.cancel();
		const follow = followerOf(response.headers.get("reelmill-storage-owner"));
		if (follow === undefined)
			throw new UnguardedError(
				"The source is in a tenant's bucket, and this worker was made without fetchFromTenants.",
			);
		return askBucket(follow, response.headers.get("location") ?? "", init);
	};

	return {
		claim: (worker, { waitSeconds, takesChunks, takesTranscripts, takesSandbox, machine }, signal) =>
			withFreshToken(async () => {
				const body = { worker, wait_seconds: waitSeconds };
				const claim = (more: {
					takes_chunks?: true;
					takes_transcripts?: true;
					takes_sandbox?: false;
					machine?: string;
				}) => client.call("claimJob", { body: { ...body, ...more } }, { signal });
				const more = {
					...(takesChunks && { takes_chunks: true as const, machine }),
					...(takesTranscripts && { takes_transcripts: true as const }),
					...(!takesSandbox && { takes_sandbox: false as const }),
				};
				const job = await claim(more).catch((error: unknown) => {
					if (Object.keys(more).length === 0 || !isReelmillError(error, "validation_error")) throw error;
					return claim({});
				});
				return job === undefined ? null : { ...job, remaining: remaining(job.lock_expires_at) };
			}),
		heartbeat: (job, beat, signal) =>
			withFreshToken(async () => {
				const answer = await client.call(
					"heartbeatJob",
					{ params: { id: job.id }, body: { lock: job.lock, ...beat } },
					{ signal },
				);
				return { remaining: remaining(answer.lock_expires_at) };
			}),
		source: (job, from, signal, part) =>
			fetchFile(`/internal/v1/jobs/${job.id}/source${part === undefined ? "" : `?part=${part}`}`, from, signal),
		part: (job, { chunk, path }, from, signal) =>
			fetchFile(`/internal/v1/jobs/${chunk}/parts?${new URLSearchParams({ lock: job.lock, path })}`, from, signal),
		async outputTargets(job, files, signal) {
			const body = { lock: job.lock, files: [...files] };
			const { data, storage_owner } = await withFreshToken(() =>
				client.call("presignJobOutputs", { params: { id: job.id }, body }, { signal }),
			).catch((error: unknown) => {
				// A server of a version before this one.
				if (isReelmillError(error, "not_found")) return { data: null, storage_owner: null };
				throw error;
			});
			const follow = followerOf(storage_owner);
			if (follow === undefined) return null;
			const sizes = new Map(files.map(({ path, size }) => [path, size]));
			return (
				data?.map(({ path, url, headers }) => ({
					path,
					async put(bytes, putSignal) {
						const sent = { ...headers, "content-length": String(sizes.get(path)) };
						const init: RequestInit & { duplex: "half" } = {
							method: "PUT",
							headers: sent,
							body: bytes,
							duplex: "half",
							redirect: "error",
							signal: putSignal,
						};
						const response = await askBucket(follow, url, init);
						await response.body?.cancel();
					},
				})) ?? null
			);
		},
		async putOutputs(job, archive, signal, part) {
			const headers = { "content-type": "application/zip" };
			const path = `/internal/v1/jobs/${job.id}/outputs?lock=${job.lock}${part === undefined ? "" : `&part=${part}`}`;
			const response = await stream(path, { method: "PUT", headers, body: archive, duplex: "half", signal });
			await response.body?.cancel();
		},
		complete: async (job, body, signal) => {
			await withFreshToken(() =>
				client.call("completeJob", { params: { id: job.id }, body: { lock: job.lock, ...body } }, { signal }),
			);
		},
		fail: async (job, body, signal) => {
			await withFreshToken(() =>
				client.call("failJob", { params: { id: job.id }, body: { lock: job.lock, ...body } }, { signal }),
			);
		},
		async offerChunks({ id, lock }, chunks, signal) {
			const body = { lock, chunks: [...chunks] };
			return (await withFreshToken(() => client.call("offerJobChunks", { params: { id }, body }, { signal }))).data;
		},
		nextChunk: ({ id, lock }, take, signal) =>
			withFreshToken(() => client.call("nextJobChunk", { params: { id }, body: { lock, take } }, { signal })),
	};
}

const isRedirect = ({ status, headers }: Response): boolean => status === 302 && headers.has("location");

/** Neither the address nor the bucket's words are told: the one is a credential, the other may be anything. */
async function askBucket(send: typeof fetch, address: string, init: RequestInit): Promise<Response> {
	const response = await send(address, init).catch((cause: unknown) => {
		if (init.signal?.aborted) throw init.signal.reason;
		throw new ConnectionError("unreachable", "The bucket is not reachable, or the connection broke.", { cause });
	});
	// The file is there already: it was put before, and only the answer was lost.
	const isThere = init.method === "PUT" && response.status === 412;
	if (response.ok || isThere) return response;
	await response.body?.cancel();
	throw new Error(`The bucket answered ${response.status}.`);
}
