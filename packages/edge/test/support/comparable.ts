import type { Answer } from "../../../http/test/support/send.ts";

/** What may differ between two answers, and what tells an edge something. */
const ofOneAnswer = new Set([
	"age",
	"cache-status",
	"connection",
	"date",
	"keep-alive",
	"reelmill-domain",
	"server",
	"via",
	"x-request-id",
]);

/** What of an answer must be the service's, whoever gives it. */
export const comparable = ({ status, headers, text }: Answer) => ({
	status,
	text,
	headers: Object.fromEntries(
		Object.entries(headers).filter(([name]) => !ofOneAnswer.has(name) && !(status === 206 && name === "accept-ranges")),
	),
	hasId: headers["x-request-id"] !== undefined,
});
