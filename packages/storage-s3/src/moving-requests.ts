import { Readable } from "node:stream";
import type { ServiceInputTypes, ServiceOutputTypes } from "@aws-sdk/client-s3";
import type { Checked } from "./body-sum.ts";
import type { BucketClient, Command } from "./client.ts";
import { storageError } from "./errors.ts";
import { createSilence, type Silence } from "./silence.ts";

/**
 * Ends all that is still asked of a bucket after a request failed, so many milliseconds after it is first called: with
 * the client's `progressMilliseconds` before it, and what else there is to do, less than the 10 s that whoever has
 * bytes stored waits at most.
 */
export function createLastLook(milliseconds: number): () => AbortSignal {
	let looking: AbortSignal | undefined;
	return () => {
		looking ??= AbortSignal.timeout(milliseconds);
		return looking;
	};
}

/**
 * What the server answers to a command whose body is `content`. It may take as long as bytes pass, all attempts
 * together; the server refuses bytes that aren't those of the sum. Rejects as a StorageError, also once nothing has
 * moved for the client's `progressMilliseconds`, and when `stop` aborts.
 */
export function sendContent<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
	client: BucketClient,
	command: Command<Input, Output>,
	content: Checked,
	stop?: AbortSignal,
): Promise<Output> {
	return whileMoving(client, (silence) =>
		client.send(bound(command, content, silence), stop ? AbortSignal.any([silence.signal, stop]) : silence.signal),
	);
}

/**
 * The answer to a completion, or to a copy. It may take as long as the server says that it is at it. Rejects as
 * `sendContent` does.
 */
export function sendPatiently<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
	client: BucketClient,
	command: Command<Input, Output>,
): Promise<Output> {
	return whileMoving(client, (silence) => client.send(heard(command, silence), silence.signal));
}

async function whileMoving<Output>(client: BucketClient, send: (silence: Silence) => Promise<Output>): Promise<Output> {
	const silence = createSilence(client.progressMilliseconds);
	try {
		return await send(silence);
	} catch (error) {
		throw storageError(error);
	} finally {
		silence.end();
	}
}

type Request = { body: unknown; readonly headers: Record<string, string> };
type Answer = { readonly response: { body: unknown } };
type Middleware = (
	next: (parts: { request: Request }) => Promise<Answer>,
) => (parts: { request: Request }) => Promise<Answer>;
type Stacked = {
	readonly middlewareStack: {
		add(middleware: Middleware, options: { step: "build" | "finalizeRequest" | "deserialize"; priority?: "low" }): void;
	};
};

const sliceBytes = 256 * 1024;
function* inSlices(bytes: Uint8Array, moved: () => void): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += sliceBytes) {
		moved();
		yield bytes.subarray(at, at + sliceBytes);
	}
	moved();
}

/**
 * Binds the body to the signature by its sum, which is among the signed headers and which every server checks. Left to
 * itself, the SDK would make a SHA-256 once more, all at once.
 *
 * Each attempt writes it in slices, as the connection takes them: so it is seen to move, and TLS, which encrypts all
 * that it is given, holds a slice more and not the whole.
 */
function bound<Command extends object>(command: Command, { by, sum }: Checked, { moved }: Silence): Command {
	const { middlewareStack } = command as Stacked;
	middlewareStack.add(
		(next) => (parts) => {
			const { headers } = parts.request;
			headers["x-amz-content-sha256"] = by === "sha256" ? sum.toString("hex") : "UNSIGNED-PAYLOAD";
			if (by === "md5") headers["content-md5"] = sum.toString("base64");
			return next(parts);
		},
		{ step: "build" },
	);
	middlewareStack.add(
		(next) => (parts) => {
			const { request } = parts;
			const { body } = request;
			if (!(body instanceof Uint8Array) || body.length <= sliceBytes) return next(parts);
			request.body = Readable.from(inSlices(body, moved));
			return next(parts).finally(() => {
				request.body = body;
			});
		},
		{ step: "finalizeRequest", priority: "low" },
	);
	return command;
}

/** The answer's head moves, and so does each piece of its body: S3 sends blanks to those who wait for a completion. */
function heard<Command extends object>(command: Command, { moved }: Silence): Command {
	(command as Stacked).middlewareStack.add(
		(next) => async (parts) => {
			const answer = await next(parts);
			moved();
			const { body } = answer.response;
			if (body instanceof Readable) answer.response.body = Readable.from(passed(body, moved));
			return answer;
		},
		{ step: "deserialize", priority: "low" },
	);
	return command;
}

async function* passed(body: Readable, moved: () => void): AsyncGenerator<Uint8Array> {
	for await (const chunk of body) {
		moved();
		yield chunk;
	}
}
