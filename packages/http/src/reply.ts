/** An answer before it is sent. `body` is bytes or text; `null` means no body. */
export type Reply = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Uint8Array<ArrayBuffer> | null;
};
/** Sends an answer on the raw server, and returns the Response that stands for it. */
export type SendReply = (reply: Reply) => Response;

/** Returns an answer with `value` as JSON. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
	const body = JSON.stringify(value);
	return {
		status,
		headers: {
			"content-type": "application/json; charset=utf-8",
			"content-length": String(Buffer.byteLength(body)),
			...headers,
		},
		body,
	};
}
