import type { Context } from "hono";
import { BodyInterrupted } from "../node/body.ts";
import type { RequestEnv } from "../request-context.ts";
import type { JsonRequest } from "./request.ts";

/** Makes a {@link JsonRequest} of a Fetch request that hono has routed. */
export function fetchRequest(context: Context<RequestEnv>, idleMilliseconds: number): JsonRequest {
	const { raw, url } = context.req;
	return {
		params: context.req.param(),
		query: new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : ""),
		authorization: raw.headers.get("authorization"),
		clientKey: context.env.clientKey,
		clientAddress: context.env.clientAddress,
		requestId: context.env.requestId,
		hasBody: raw.body !== null,
		header: (name) => raw.headers.get(name),
		body: () => chunksOf(raw, idleMilliseconds),
		get signal() {
			return raw.signal;
		},
	};
}

async function* chunksOf(request: Request, idleMilliseconds: number): AsyncGenerator<Uint8Array> {
	const reader = request.body?.getReader();
	const endsAt = performance.now() + idleMilliseconds;
	while (reader) {
		const { done, value } = await withDeadline(reader.read(), Math.max(0, endsAt - performance.now()));
		if (done) return;
		yield value;
	}
}

async function withDeadline<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const deadline = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new BodyInterrupted("The body stopped coming.")), milliseconds);
	});
	try {
		return await Promise.race([promise, deadline]);
	} finally {
		clearTimeout(timer);
	}
}
