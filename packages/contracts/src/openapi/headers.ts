import * as z from "zod";
import { webhookHeaders } from "../events.ts";
import { consoleHeaders } from "../resources/console.ts";
import type { Header } from "./document.ts";
import { headerExamples } from "./examples.ts";

/** Describes a header of an answer. */
export const header = (name: string, description: string): Header => ({
	description,
	schema: { type: "string" },
	...(headerExamples[name] !== undefined && { example: headerExamples[name] }),
});

/** The headers that many answers share, by their names in the document. */
export const sharedHeaders = {
	RequestId: header(
		"x-request-id",
		"Names this request in the server's logs: the request's own x-request-id if that is well formed, else a new one.",
	),
	RetryAfter: header(
		"Retry-After",
		"Seconds to wait, rounded up. Absent where no retry can succeed, or time alone does not decide it.",
	),
};

/** The header by which a browser that holds a session says that the console's page sent a request. */
export const gateHeader = z.object({
	[consoleHeaders.console]: z
		.string()
		.min(1)
		.meta({
			description:
				"Any value. A page of another origin can't send this header, so a request that has it is the console's own.",
			examples: ["1"],
		}),
});
/** The header by which the console's page says for whom a request is. */
export const domainHeader = z.object({
	[consoleHeaders.domain]: z.uuid().meta({
		description: "The id of the domain that the request is about: one of the session's `domains`.",
		examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
	}),
});

/** The two headers of a delivery. */
export const eventHeaders = z.object({
	[webhookHeaders.signature]: z.string().meta({
		description:
			"`t=<unix seconds>,v1=<hex HMAC-SHA256>`; two `v1=` values for an hour after a rotation of the secret. Refuse a `t` more than 300 s away.",
		examples: ["t=1769860800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"],
	}),
	[webhookHeaders.deliveryId]: z.string().meta({
		description: "The delivery's id, the same on every attempt and replay.",
		examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
	}),
});
