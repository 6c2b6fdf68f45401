import { Readable } from "node:stream";
import type { ServiceInputTypes, ServiceOutputTypes } from "@aws-sdk/client-s3";
import type { Checked } from "./body-sum.ts";
import type { BucketClient, Command } from "./bucket-client.ts";
import { storageError } from "./errors.ts";
import { createSilenceTimer, type SilenceTimer } from "./silence-timer.ts";

/**
 * Sends a command whose body is `content`, and returns the answer. All attempts together may take as long as bytes
 * move. The server refuses bytes that don't match the checksum.
 *
 * @throws {StorageError} when the server refuses, when nothing has moved for the client's `progressMilliseconds`, and
 * when `stop` aborts.
 */
export function sendContent<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
	client: BucketClient,
	command: Command<Input, Output>,
	content: Checked,
	stop?: AbortSignal,
): Promise<Output> {
	return whileMoving(client, (silence) =>
		client.send(
			withContent(command, content, silence),
			stop ? AbortSignal.any([silence.signal, stop]) : silence.signal,
		),
	);
}

/**
 * Sends a completion or a copy, and returns the answer. It may take as long as the server keeps sending. Rejects as
 * `sendContent` does.
 */
export function sendPatiently<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
	client: BucketClient,
	command: Command<Input, Output>,
): Promise<Output> {
	return whileMoving(client, (silence) => client.send(noticingAnswer(command, silence), silence.signal));
}

async function whileMoving<Output>(
	client: BucketClient,
	send: (silence: SilenceTimer) => Promise<Output>,
): Promise<Output> {
	const silence = createSilenceTimer(client.progressMilliseconds);
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
 * Adds the checksum to the signed headers, which every server checks. The SDK alone would compute a SHA-256 again, all
 * at once.
 *
 * Each attempt writes the body in slices, as the connection takes them. Its progress can then be seen, and TLS, which
 * encrypts all that it is given, holds one slice instead of the whole body.
 */
function withContent<Command extends object>(command: Command, { by, sum }: Checked, { moved }: SilenceTimer): Command {
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

/** Counts the answer's head, and each piece of its body, as progress: S3 sends blanks while a completion runs. */
function noticingAnswer<Command extends object>(command: Command, { moved }: SilenceTimer): Command {
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
