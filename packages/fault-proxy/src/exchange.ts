import { type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Direction, errorDocument, type FaultKind } from "./fault.ts";
import { breakOff, Cut, relay, unlessAborted } from "./relay.ts";
import type { Strike } from "./rules.ts";

export type SeenRequest = {
	readonly method: string;
	/** The path, with its query. */
	readonly path: string;
	/** The status that the server answered; null if it hasn't answered yet. */
	answered: number | null;
	/** The status that the client was told; null if it wasn't told any, or not yet. */
	status: number | null;
	/** How many bytes of the body went to the server. */
	requestBytes: number;
	/** How many bytes of the answer's body went to the client. */
	answerBytes: number;
	/** The fault that struck the request. */
	fault: FaultKind | null;
};

type Exchange = (
	request: IncomingMessage,
	response: ServerResponse,
	seen: SeenRequest,
	strike: Strike | null,
) => Promise<void>;

const ofOneConnection = new Set(["connection", "keep-alive", "proxy-connection"]);
const passedOn = (rawHeaders: readonly string[]): string[] =>
	rawHeaders.filter((_, at) => !ofOneConnection.has((rawHeaders[at & ~1] ?? "").toLowerCase()));

const strikesAtOnce = (strike: Strike, direction: Direction): boolean =>
	"afterBytes" in strike.fault && strike.fault.direction === direction && strike.fault.afterBytes === 0;

/** Takes one request to the server and its answer back. Resolves when both sides are done with it, in whatever way. */
export function createExchange(server: { readonly hostname: string; readonly port: number }): Exchange {
	return async (request, response, seen, strike) => {
		seen.fault = strike?.kind ?? null;
		const gone = new AbortController();
		response.once("close", () => {
			if (!response.writableFinished) gone.abort(new Cut());
		});
		const { signal } = gone;
		let upstream: ClientRequest | undefined;
		try {
			await before(response, seen, strike, signal);
			if (response.headersSent) return;
			// A server that answers early doesn't reset the connection before its answer is read if it is asked to keep the
			// connection.
			const headers = [...passedOn(request.rawHeaders), "connection", "keep-alive"];
			upstream = openRequest({ ...server, agent: false, method: seen.method, path: seen.path, headers });
			upstream.on("continue", () => response.writeContinue());
			const answer = answerOf(upstream);
			upstream.flushHeaders();
			sendBody(request, upstream, seen, strike, signal).catch((error: unknown) => {
				// A server that answers early may read no more. Its answer passes all the same.
				if (error instanceof Cut) gone.abort(error);
			});
			await sendAnswer(await unlessAborted(answer, signal), response, seen, strike, signal);
		} catch {
			request.socket.destroy();
		} finally {
			upstream?.destroy();
			request.resume();
		}
	};
}

/** Applies the faults that come before the server hears anything. */
async function before(
	response: ServerResponse,
	seen: SeenRequest,
	strike: Strike | null,
	signal: AbortSignal,
): Promise<void> {
	if (!strike) return;
	const { fault } = strike;
	if (strike.until) await unlessAborted(strike.until, signal);
	if (strikesAtOnce(strike, "request")) return breakOff(strike, signal);
	if (fault.kind === "slow") strike.struck();
	if (fault.kind === "refuse") {
		strike.struck();
		refuse(response, seen, fault);
	}
	if (fault.kind === "silence") {
		strike.struck();
		await unlessAborted(new Promise<never>(() => {}), signal);
	}
	if (fault.kind === "delay") {
		strike.struck();
		await sleep(fault.milliseconds, undefined, { signal });
	}
}

function answerOf(upstream: ClientRequest): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		upstream.once("response", resolve);
		upstream.on("error", reject);
	});
}

async function sendBody(
	request: IncomingMessage,
	upstream: ClientRequest,
	seen: SeenRequest,
	strike: Strike | null,
	signal: AbortSignal,
): Promise<void> {
	const onBytes = (count: number) => {
		seen.requestBytes += count;
	};
	await relay(request, upstream, { direction: "request", strike, signal, onBytes });
	upstream.end();
}

async function sendAnswer(
	answer: IncomingMessage,
	response: ServerResponse,
	seen: SeenRequest,
	strike: Strike | null,
	signal: AbortSignal,
): Promise<void> {
	seen.answered = answer.statusCode ?? null;
	if (strike?.fault.kind === "lose-answer" || strike?.fault.kind === "refuse-after") {
		for await (const _ of answer);
		strike.struck();
		if (strike.fault.kind === "lose-answer") throw new Cut();
		return refuse(response, seen, strike.fault);
	}
	response.sendDate = false;
	response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", passedOn(answer.rawHeaders));
	response.flushHeaders();
	seen.status = seen.answered;
	if (strike && strikesAtOnce(strike, "answer")) await breakOff(strike, signal);
	const onBytes = (count: number) => {
		seen.answerBytes += count;
	};
	await relay(answer, response, { direction: "answer", strike, signal, onBytes });
	await unlessAborted(new Promise<void>((resolve) => response.end(resolve)), signal);
	if (strike?.kind === "pass") strike.struck();
}

function refuse(
	response: ServerResponse,
	seen: SeenRequest,
	{
		status,
		code,
		headers = {},
	}: { readonly status: number; readonly code?: string; readonly headers?: Readonly<Record<string, string>> },
): void {
	const body = errorDocument(status, code);
	const own = { "content-type": "application/xml", "content-length": Buffer.byteLength(body) };
	response.writeHead(status, { ...own, ...headers });
	response.end(seen.method === "HEAD" ? undefined : body);
	seen.status = status;
}
