import { request as open } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type Question = {
	readonly url: string;
	readonly method: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Uint8Array | undefined;
	/** Sends the body in pieces of so many bytes, with a pause after each. */
	readonly pieces?: { readonly bytes: number; readonly pauseMilliseconds: number };
	/**
	 * The time until the whole answer must be there, without the pauses; after it the request rejects with the code
	 * TIMEOUT.
	 */
	readonly patienceMilliseconds?: number;
};
export type Answer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | undefined>>;
	readonly body: Buffer;
};

/** Makes one request on a new connection. Rejects if the connection breaks or no answer comes. */
export async function ask({
	url,
	method,
	headers = {},
	body,
	pieces,
	patienceMilliseconds = 10_000,
}: Question): Promise<Answer> {
	const request = open(url, {
		method,
		agent: false,
		headers: { ...headers, ...(body && { "content-length": String(body.length) }) },
	});
	const answer = Promise.withResolvers<Answer>();
	const late = Object.assign(new Error("No answer came."), { code: "TIMEOUT" });
	const pauses = body && pieces ? Math.ceil(body.length / pieces.bytes) * pieces.pauseMilliseconds : 0;
	const timer = setTimeout(() => request.destroy(late), patienceMilliseconds + pauses);
	request.on("error", answer.reject);
	request.on("close", () => answer.reject(Object.assign(new Error("The connection broke."), { code: "CUT" })));
	request.on("response", (response) => {
		const chunks: Buffer[] = [];
		response.on("data", (chunk: Buffer) => chunks.push(chunk));
		response.on("error", answer.reject);
		response.on("end", () => {
			if (response.complete)
				answer.resolve({
					status: response.statusCode ?? 0,
					headers: response.headers as Answer["headers"],
					body: Buffer.concat(chunks),
				});
		});
	});
	send(request, body, pieces).catch(() => undefined);
	try {
		return await answer.promise;
	} finally {
		clearTimeout(timer);
		request.destroy();
	}
}

async function send(
	request: ReturnType<typeof open>,
	body: Uint8Array | undefined,
	pieces: Question["pieces"],
): Promise<void> {
	if (!body || !pieces) {
		request.end(body);
		return;
	}
	request.flushHeaders();
	for (let at = 0; at < body.length && !request.destroyed; at += pieces.bytes) {
		request.write(body.subarray(at, at + pieces.bytes));
		await sleep(pieces.pauseMilliseconds);
	}
	request.end();
}

/** Returns the code in an answer's body, or the status if there is none. */
export function codeOf({ status, body }: Answer): string {
	try {
		return (JSON.parse(body.toString()) as { error?: string }).error ?? String(status);
	} catch {
		return String(status);
	}
}

export const failureOf = (error: unknown): string => (error as { code?: string }).code ?? String(error);
