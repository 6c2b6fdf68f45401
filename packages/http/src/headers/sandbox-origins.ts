import { isReelmillError } from "@reelmill/contracts";
import type { Reply } from "../reply.ts";

/** The headers by which a page of any origin may read an answer. */
const readable = {
	"access-control-allow-origin": "*",
	"access-control-expose-headers": "Content-Length, ETag, Retry-After, WWW-Authenticate, X-Request-Id",
} as const;

/**
 * The answer to a preflight under /v1. It carries no credential, so it can't tell a sandbox session's key from another;
 * the answer that follows does. It never lets a page send cookies, nor the headers of a console session.
 */
export const sandboxPreflight = {
	"access-control-allow-origin": "*",
	"access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
	"access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id",
	"access-control-max-age": "7200",
} as const;

/** Tells whether a request is a browser's question before a request of another origin. */
export const isPreflight = (header: (name: string) => string | null | undefined): boolean =>
	Boolean(header("origin")) && Boolean(header("access-control-request-method"));

/** Returns the answer with the headers that let a page of any origin read it. */
export const readableByPages = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, ...readable } });

/** Tells whether a refusal says nothing but that a key is wrong, or that there were too many calls. */
export const tellsNothing = (error: unknown): boolean =>
	isReelmillError(error, "unauthorized") || isReelmillError(error, "rate_limited");
