/** An answer as it came, with its header names in lower case. */
export type Answer = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: Buffer };
/** No answer: `HUNG` if nothing came in time, otherwise how the connection ended. */
export type NoAnswer = { readonly failure: string };

export const isAnswer = (outcome: Answer | NoAnswer): outcome is Answer => "status" in outcome;

/** Returns the body as JSON; undefined if it is none. */
export function jsonOf({ body }: Answer): unknown {
	try {
		return JSON.parse(body.toString());
	} catch {
		return undefined;
	}
}

export const codeOf = (answer: Answer): string | undefined => {
	const json = jsonOf(answer);
	const code = typeof json === "object" && json !== null && "error" in json ? json.error : undefined;
	return typeof code === "string" ? code : undefined;
};

/**
 * Returns the headers' text without the request's id, which looks like an id but belongs to nobody, and without the
 * addresses of what was asked for.
 */
export const headersText = ({ headers }: Answer): string =>
	[...headers]
		.filter(([name]) => name !== "x-request-id")
		.map(([name, value]) => `${name}: ${value}`)
		.join("\n");
