import type { Operation } from "./operation.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Headers of every error, and of every answer with a secret or a tenant's data: no cache keeps it, and no browser
 * guesses another type of content.
 */
export const privateHeaders = {
	"cache-control": "no-store",
	"x-content-type-options": "nosniff",
} as const satisfies Headers;

/**
 * Headers of every answer of the delivery plane, errors included: a tenant's file that is opened as a page runs nothing
 * and loads nothing.
 */
export const deliveryHeaders = {
	"content-security-policy": "default-src 'none'; sandbox",
	"x-content-type-options": "nosniff",
} as const satisfies Headers;

const challenge = { "www-authenticate": "Bearer" } as const satisfies Headers;

/**
 * Returns the headers of an error with this status, on any plane, with names in lower case.
 * @example
 * ```ts
 * import { errorHeaders } from "@reelmill/contracts";
 *
 * console.log(errorHeaders(401)["www-authenticate"]); // => Bearer
 * ```
 */
export const errorHeaders = (status: number): Headers =>
	status === 401 ? { ...privateHeaders, ...challenge } : privateHeaders;

/**
 * Returns the headers that all answers of an operation with this status have, with names in lower case.
 * @example
 * ```ts
 * import { answerHeaders, api } from "@reelmill/contracts";
 *
 * console.log(answerHeaders(api.getVideo, 200)["cache-control"]); // => no-store
 * ```
 */
export function answerHeaders({ plane, success }: Operation, status: number): Headers {
	const ofPlane = plane === "delivery" ? deliveryHeaders : {};
	if (status >= 400) return { ...ofPlane, ...errorHeaders(status) };
	const hasContent =
		("body" in success && success.body !== undefined) || ("content" in success && success.content !== undefined);
	const isPrivate = hasContent && status !== 204 && plane !== "delivery" && plane !== "operations";
	return isPrivate ? privateHeaders : ofPlane;
}
