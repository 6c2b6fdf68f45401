import { createServer } from "node:http";
import { api, type OperationName } from "@reelmill/contracts";
import { expect } from "vitest";
import { expectHeaders, nameOf, pathOf } from "./contract.ts";
import { type MadeProvider, openMadeProvider } from "./made-provider.ts";
import { listen, openService, type Service } from "./open-service.ts";
import { startPrism, violationsOf } from "./prism.ts";
import { client } from "./real-provider.ts";
import { type Answer, type Sent, send } from "./send.ts";
import { consoleOptions } from "./sessions.ts";

type Call = {
	readonly id?: string;
	readonly query?: string;
	readonly headers?: Record<string, string>;
	readonly json?: unknown;
	/** The body, of the type in `headers`. */
	readonly body?: string | Buffer<ArrayBuffer>;
};
export type DescribedService = {
	/** The same service without prism. */
	readonly service: Service;
	/** Its identity provider, which vouches for whom it is told to. */
	readonly provider: MadeProvider;
	/** The answers that each operation gave so far, in the words of `nameOf`. */
	readonly given: ReadonlyMap<OperationName, ReadonlySet<string>>;
	/**
	 * Sends a request through prism. Fails if the document doesn't describe the answer, or, where it is a success, the
	 * request.
	 */
	answer(name: OperationName, request: Sent): Promise<Answer>;
	/**
	 * Calls an operation through prism and fails, beyond what `answer` does, unless it answers as `expected`, in the
	 * words of `nameOf`. Answers the body.
	 */
	call<T = unknown>(expected: string, name: OperationName, call?: Call): Promise<T>;
	/** What prism finds wrong in an answer to `GET /v1/health` that is made up here. */
	violationsIn(status: number, body: object): Promise<string[]>;
	/** While set, every request that is counted is one too many. */
	setFull(full: boolean): void;
	close(): Promise<void>;
};

/** A whole service behind prism, which has read the document that the service itself serves. */
export async function openDescribedService(): Promise<DescribedService> {
	let full = false;
	const provider = await openMadeProvider();
	const service = await openService({ identityProvider: { issuer: provider.issuer, ...client } }, ({ clock }) => ({
		...consoleOptions,
		playbackKeyAlgorithm: "EdDSA",
		windows: { keepFailed: 3600 },
		rateLimiter: {
			take: async () => (full ? { allowed: false, retryAt: new Date(clock.now() + 1500) } : { allowed: true }),
		},
	}));
	await service.engine.start();
	await service.engine.stop();
	const server = createServer((request, response) => {
		const { "x-answer-status": status, "x-answer-body": body } = request.headers;
		if (status === undefined) service.listener(request, response);
		else response.writeHead(Number(status), { "content-type": "application/json" }).end(body);
	});
	const upstream = await listen(server);
	const { text: document } = await send(upstream, { path: "/v1/openapi.all.json" });
	const prism = await startPrism(document, upstream);
	const given = new Map<OperationName, Set<string>>();

	const answer = async (name: OperationName, request: Sent): Promise<Answer> => {
		// prism follows a redirect, and would answer what is there.
		const received = await send(api[name].success.status === 302 ? upstream : prism.url, request);
		const violations = violationsOf(received.headers).filter(
			({ location }) => received.status < 400 || location[0] !== "request",
		);
		expect({ name, answer: nameOf(received), violations }).toEqual({ name, answer: nameOf(received), violations: [] });
		expectHeaders(received, api[name]);
		given.set(name, (given.get(name) ?? new Set()).add(nameOf(received)));
		return received;
	};

	return {
		service,
		provider,
		given,
		answer,
		async call<T>(expected: string, name: OperationName, { id = "", query = "", headers = {}, json, body }: Call = {}) {
			const { method, path } = api[name];
			const received = await answer(name, {
				method,
				path: pathOf(api[name], (part) => (part === "language" ? "de" : id)) + query,
				headers,
				...(json !== undefined && { json }),
				...(body !== undefined && { body }),
			});
			expect(`${method} ${path}: ${nameOf(received)}`).toBe(`${method} ${path}: ${expected}`);
			return received.json as T;
		},
		async violationsIn(status, body) {
			const headers = { "x-answer-status": String(status), "x-answer-body": JSON.stringify(body) };
			return violationsOf((await send(prism.url, { path: "/v1/health", headers })).headers).map(
				({ message }) => message,
			);
		},
		setFull(value) {
			full = value;
		},
		async close() {
			await prism.close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await service.close();
			await provider.close();
		},
	};
}
