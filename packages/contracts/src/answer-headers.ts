import type { Operation } from "./operation.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Of every answer that holds a secret or what belongs to a tenant, and of every error: nobody keeps it, and no browser
 * takes it for anything else than it says.
 */
export const privateHeaders = {
	"cache-control": "no-store",
	"x-content-type-options": "nosniff",
} as const satisfies Headers;

/**
 * Of every answer of the delivery plane, errors among them: a tenant's file that is opened as a page runs nothing and
 * loads nothing.
 */
export const deliveryHeaders = {
	"content-security-policy": "default-src 'none'; sandbox",
	"x-content-type-options": "nosniff",
} as const satisfies Headers;

const challenge = { "www-authenticate": "Bearer" } as const satisfies Headers;

/** Of an error with this status, on any plane. */
export const errorHeaders = (status: number): Headers =>
	status === 401 ? { ...privateHeaders, ...challenge } : privateHeaders;

/** The headers that an operation's answers of this status carry whatever they say, in lower case. */
export function answerHeaders({ plane, success }: Operation, status: number): Headers {
	const ofPlane = plane === "delivery" ? deliveryHeaders : {};
	if (status >= 400) return { ...ofPlane, ...errorHeaders(status) };
	const hasContent =
		("body" in success && success.body !== undefined) || ("content" in success && success.content !== undefined);
	const isPrivate = hasContent && status !== 204 && plane !== "delivery" && plane !== "operations";
	return isPrivate ? privateHeaders : ofPlane;
}
