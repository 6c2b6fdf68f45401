/**
 * What the service reads of a viewer's request. Nothing else is passed on: no header of a client can make the service
 * answer in a way that other clients would then be given.
 */
const passedOn = [
	"authorization",
	"range",
	"if-none-match",
	"if-range",
	"origin",
	"access-control-request-method",
	"access-control-request-headers",
	"x-request-id",
	"user-agent",
] as const;
/** Of these an edge makes its own, where it asks for something to keep. */
const ownOfTheEdge: ReadonlySet<string> = new Set(["range", "if-none-match", "if-range"]);

/** Returns the headers of a viewer's request for the service, with the address by which the service counts it. */
export function headersAsTheyCame(headers: Headers, clientAddress: string | undefined): Headers {
	const passed = new Headers({ "accept-encoding": "identity" });
	for (const name of passedOn) {
		const value = headers.get(name);
		if (value !== null) passed.set(name, value);
	}
	if (clientAddress !== undefined) passed.set("x-forwarded-for", clientAddress);
	return passed;
}

/** Does the same for a request whose answer is to be kept, and which asks for a part of the edge's choice. */
export function headersToKeep(headers: Headers, clientAddress: string | undefined): Headers {
	const passed = headersAsTheyCame(headers, clientAddress);
	for (const name of ownOfTheEdge) passed.delete(name);
	return passed;
}

/** Headers that are of one connection, of one answer, or of one part of a file. */
const ofOneAnswer: ReadonlySet<string> = new Set([
	"age",
	"alt-svc",
	"connection",
	"content-length",
	"content-range",
	"date",
	"keep-alive",
	"proxy-authenticate",
	"proxy-connection",
	"reelmill-domain",
	"server",
	"set-cookie",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
	"via",
	"x-request-id",
]);

/** Returns the headers of an answer that are kept with the file. */
export const headersOfFile = (headers: Headers): [string, string][] =>
	[...headers].filter(([name]) => !ofOneAnswer.has(name));

const ofOneConnection = [
	"connection",
	"keep-alive",
	"proxy-authenticate",
	"proxy-connection",
	"reelmill-domain",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
];

/** Returns the headers of an answer that is passed on once. */
export function headersOfAnswer(headers: Headers): Headers {
	const passed = new Headers(headers);
	for (const name of ofOneConnection) passed.delete(name);
	return passed;
}
