import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { StorageError } from "@reelmill/engine/ports";
import type { GuardedAgents } from "@reelmill/outbound";
import { storageError } from "./errors.ts";

const limitBytes = 65_536;

/**
 * Fetches `url` over `agents`, without credentials, and returns the body. Follows no redirect.
 *
 * @throws {StorageError} when the answer isn't 200, is longer than 64 KiB, or isn't complete within `milliseconds`.
 */
export async function fetchPresigned(
	url: string,
	agents: GuardedAgents,
	milliseconds: number,
	closing: AbortSignal,
): Promise<Uint8Array> {
	try {
		const response = await answerTo(
			new URL(url),
			agents,
			AbortSignal.any([closing, AbortSignal.timeout(milliseconds)]),
		);
		const status = response.statusCode ?? 0;
		if (status !== 200) {
			response.destroy();
			throw storageError({ $metadata: { httpStatusCode: status } });
		}
		const parts: Buffer[] = [];
		let length = 0;
		for await (const part of response) {
			parts.push(part);
			length += part.length;
			if (length > limitBytes)
				throw new StorageError("failed", "The server answered a presigned URL with more than was stored");
		}
		return Buffer.concat(parts);
	} catch (error) {
		throw storageError(error);
	}
}

function answerTo(url: URL, agents: GuardedAgents, signal: AbortSignal): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const request =
			url.protocol === "https:"
				? overHttps(url, { agent: agents.https, signal })
				: overHttp(url, { agent: agents.http, signal });
		request.once("response", resolve).once("error", reject).end();
	});
}
