import { type Answer, isAnswer, jsonOf } from "../send/answer.ts";
import type { HttpSender } from "../send/http.ts";

/** Calls the API while the world is made. Every call is expected to succeed. */
export type Caller = {
	/**
	 * Returns the JSON of the answer, or undefined. A status in `again` is tried again for a second.
	 *
	 * @throws {Error} when the answer is no success.
	 */
	call<T = Record<string, never>>(
		method: string,
		path: string,
		credential: string | null,
		body?: object | Buffer,
		more?: { headers?: Record<string, string>; again?: readonly number[]; from?: string },
	): Promise<T>;
};

const tries = 40;

export function createCaller(sender: HttpSender): Caller {
	return {
		async call<T>(
			method: string,
			path: string,
			credential: string | null,
			body?: object | Buffer,
			{
				headers = {},
				again = [],
				from,
			}: { headers?: Record<string, string>; again?: readonly number[]; from?: string } = {},
		) {
			const bytes = body === undefined ? null : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
			const type: Record<string, string> = bytes === null ? {} : { "content-type": "application/json" };
			const authorization: Record<string, string> =
				credential === null ? {} : { authorization: `Bearer ${credential}` };
			for (let attempt = 1; ; attempt++) {
				const answer = await sender.send(
					{ method, path, headers: { ...type, ...authorization, ...headers }, body: bytes },
					from,
				);
				if (isAnswer(answer) && answer.status < 300) return jsonOf(answer) as T;
				if (attempt === tries || !isAnswer(answer) || !again.includes(answer.status))
					throw new Error(`${method} ${path}: ${told(answer)}`);
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
		},
	};
}

const told = (answer: Answer | { readonly failure: string }): string =>
	isAnswer(answer) ? `${answer.status} ${answer.body}` : answer.failure;
