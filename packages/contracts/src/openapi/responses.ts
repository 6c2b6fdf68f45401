import type { Operation } from "../operation.ts";
import { contentOf, jsonOf } from "./contents.ts";
import type { Content, Response } from "./document.ts";
import { header } from "./headers.ts";
import { descriptionOf } from "./schemas.ts";

type Responses = Record<string, Response>;

function successContent({ method, success }: Operation): { content?: Content } {
	if (method === "HEAD") return {};
	if ("body" in success && success.body !== undefined) return { content: jsonOf(success.body) };
	if ("content" in success && success.content !== undefined) return { content: contentOf(success.content) };
	return {};
}

/** Returns the success of an operation, its alternatives below 400, and those above that have the success's body. */
export function successResponses(operation: Operation): Responses {
	const { success } = operation;
	const own = Object.entries(operation.responseHeaders ?? {}).map(([name, meaning]) => [name, header(name, meaning)]);
	const headers = own.length === 0 ? {} : { headers: Object.fromEntries(own) };
	const said = "body" in success && success.body !== undefined ? descriptionOf(success.body) : undefined;
	const description = success.says ?? said?.replace(/[:.;].*/s, ".");
	if (description === undefined) throw new Error(`Nothing says what ${operation.method} ${operation.path} answers.`);
	const content = successContent(operation);
	const responses: Responses = { [success.status]: { description, ...headers, ...content } };
	for (const { status, description: says } of operation.alternatives ?? []) {
		if (status < 400)
			responses[status] = {
				description: says,
				...(status === 302 && { headers: { Location: header("Location", "Where the bytes are.") } }),
				...(status === 304 && headers),
				...(status === 206 && content),
			};
		if (status >= 500) responses[status] = { description: says, ...content };
	}
	if (operation.failsAsPage)
		responses["default"] = {
			description: "Where the browser asks for `text/html`, a failure is a page for a person, with the error's status.",
			content: contentOf("text/html"),
		};
	return responses;
}
