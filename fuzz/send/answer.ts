/** An answer as it came, its header names in lower case. */
export type Answer = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: Buffer };
/** No answer: `HUNG` where nothing came in time, else what the connection ended with. */
export type NoAnswer = { readonly failure: string };

export const isAnswer = (outcome: Answer | NoAnswer): outcome is Answer => "status" in outcome;

/** The body as JSON; undefined where it is none. */
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
