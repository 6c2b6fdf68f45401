import { webhookHeaders } from "../events.ts";
import { consoleHeaders } from "../resources/console.ts";
import { headerDescriptions } from "./descriptions.ts";
import type { Header, JsonSchema, Parameter } from "./document.ts";
import { headerExamples } from "./examples.ts";

/** Describes a header of an answer. */
export const header = (name: string, description = headerDescriptions[name] ?? ""): Header => ({
	description,
	schema: { type: "string" },
	...(headerExamples[name] !== undefined && { example: headerExamples[name] }),
});
/** The headers that many answers share, by their names in the document. */
export const sharedHeaders = { RequestId: header("x-request-id"), RetryAfter: header("Retry-After") };

/** Describes a header that a request must have. */
const parameter = (name: string, schema?: JsonSchema): Parameter => {
	const described = header(name);
	return { ...described, name, in: "header", required: true, schema: { ...described.schema, ...schema } };
};
/** The header by which a browser that holds a session says that the console's page sent a request. */
export const gateHeader = parameter(consoleHeaders.console, { minLength: 1 });
/** The header by which the console's page says for whom a request is. */
export const domainHeader = parameter(consoleHeaders.domain, { format: "uuid" });
/** The two headers of a delivery. */
export const eventHeaders = Object.values(webhookHeaders).map((name) => parameter(name));
