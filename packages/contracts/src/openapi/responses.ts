import type { Operation } from "../operation.ts";
import { contentOf } from "./contents.ts";
import type { Response } from "./document.ts";
import { answerExamples } from "./examples.ts";
import { header } from "./headers.ts";
import { descriptionOf } from "./schemas.ts";

const answersOf: Readonly<Record<string, unknown>> = answerExamples;

/** Returns the success of an operation, its alternatives below 400, and those above that have the success's body. */
export function successResponses(operationId: string, operation: Operation): Record<string, Response> {
	const { method, success, responseHeaders = {}, alternatives = [], failsAsPage } = operation;
	const own = Object.entries(responseHeaders).map(([name, meaning]) => [name, header(name, meaning)]);
	const headers = own.length > 0 && { headers: Object.fromEntries(own) };
	const said = "body" in success && success.body !== undefined ? descriptionOf(success.body) : undefined;
	const description = success.says ?? said?.replace(/[:.;].*/s, ".");
	if (description === undefined) throw new Error(`Nothing says what ${method} ${operation.path} answers.`);
	const body = method === "HEAD" ? undefined : contentOf(success, answersOf[operationId]);
	const content = body && { content: body };
	const responses: Record<string, Response> = { [success.status]: { description, ...headers, ...content } };
	for (const { status, description: says } of alternatives)
		if (status < 400 || status >= 500)
			responses[status] = {
				description: says,
				...(status === 302 && { headers: { Location: header("Location", "Where the bytes are.") } }),
				...(status === 304 && headers),
				...((status === 206 || status >= 500) && content),
			};
	if (failsAsPage)
		responses["default"] = {
			description: "Where the browser asks for `text/html`, a failure is a page for a person, with the error's status.",
			content: contentOf({ content: "text/html" }) ?? {},
		};
	return responses;
}
