import {
	type CallOptions,
	type Client,
	ConnectionError,
	createClient,
	errorFromAnswer,
	isReelmillError,
} from "@reelmill/client";
import type { Job } from "@reelmill/contracts";
import type { Tracer } from "@reelmill/media";
import { type Sleep, sleep } from "../retry.ts";
import { createServerClock, type ServerClock } from "./server-clock.ts";
import { createTokenFile } from "./token-file.ts";
import { createTokens, exchangeSecret, type TokenSource } from "./tokens.ts";
import { tracedFetch } from "./traced-fetch.ts";

export type SessionOptions = TokenSource & {
	/** The service's address; a path before `/internal/v1` is kept. */
	readonly apiUrl: string;
	/** The service account's name. */
	readonly name: string;
	readonly fetch?: typeof fetch;
	/** Makes requests spans of the job that they are for (default: none). */
	readonly tracer?: Tracer;
	readonly tokenDirectory?: string | undefined;
	readonly sleep?: Sleep;
};

/** Returns the headers of a request for a job: the server's log of it bears the id that the job's does. */
export const namedBy = ({ request_id }: Pick<Job, "request_id">): Record<string, string> =>
	request_id === undefined ? {} : { "x-request-id": request_id };

/** Returns the same as options of a call. */
export const callFor = (job: Pick<Job, "request_id">, signal: AbortSignal): CallOptions => ({
	signal,
	onRequest({ headers }) {
		for (const [name, value] of Object.entries(namedBy(job))) headers.set(name, value);
	},
});

/** A worker's authenticated connection with the service. */
export type Session = {
	/** Calls operations with the worker's token, without retries. */
	readonly client: Client;
	readonly clock: Pick<ServerClock, "until">;
	/**
	 * Makes a request, and makes it once more with a new token if the first answer is `unauthorized`. A token may end
	 * early: the server's key changes, an account is rotated. A new token tells this from a real refusal.
	 */
	withFreshToken<T>(request: () => Promise<T>): Promise<T>;
	/**
	 * Sends a request whose body or answer is a stream of bytes, and returns the answer with its body unread. A redirect
	 * is an answer.
	 *
	 * @throws {ConnectionError} when the server can't be reached.
	 * @throws {ReelmillError} when the server refuses.
	 */
	stream(path: string, init: RequestInit & { readonly duplex?: "half" }): Promise<Response>;
};

/** Creates a session. It sends nothing and asks for no token until the first request. */
export function createSession(options: SessionOptions): Session {
	const base = options.apiUrl.replace(/(?<!\/)\/+$/, "");
	const clock = createServerClock();
	const reach = tracedFetch(options.fetch ?? ((...request) => fetch(...request)), options.tracer);
	const send: typeof fetch = async (input, init) => {
		const response = await reach(input, init);
		clock.observe(response);
		return response;
	};
	const settings = { baseUrl: options.apiUrl, fetch: send, retry: { limit: 0 } };
	const tokens = createTokens(
		"issueToken" in options
			? { issue: options.issueToken, clock }
			: {
					issue: exchangeSecret(options, settings),
					clock,
					file:
						options.tokenDirectory === undefined
							? undefined
							: createTokenFile(options.tokenDirectory, options, options.sleep ?? sleep),
				},
	);
	return {
		client: createClient({ ...settings, credential: tokens.current }),
		clock,
		async withFreshToken(request) {
			try {
				return await request();
			} catch (error) {
				if (!isReelmillError(error, "unauthorized")) throw error;
				tokens.forget();
				return request();
			}
		},
		async stream(path, init) {
			const headers = new Headers(init.headers);
			headers.set("authorization", `Bearer ${await tokens.current()}`);
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
			throw errorFromAnswer({
				status: response.status,
				body,
				requestId: response.headers.get("x-request-id"),
				request: { method: init.method ?? "GET", url: response.url || url },
				headerOf: (name) => response.headers.get(name),
			});
		},
	};
}

/** Returns whether the service sends the worker to a bucket. */
export const isRedirect = ({ status, headers }: Response): boolean => status === 302 && headers.has("location");
