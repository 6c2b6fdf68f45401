import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Health, Readiness } from "../resources/health.ts";
import { AcceptEncoding, IfNoneMatch } from "./file-headers.ts";

export const getHealth = defineOperation({
	method: "GET",
	path: "/v1/health",
	plane: "operations",
	tag: "Service",
	summary: "Say that the server lives",
	description: "A liveness probe: touches neither database nor storage, and counts towards no limit.",
	audiences: ["tenants", "operators", "workers"],
	auth: "none",
	success: { status: 200, body: Health },
	errors: [],
});

export const getReady = defineOperation({
	method: "GET",
	path: "/ready",
	plane: "operations",
	port: "operations",
	audiences: ["operators"],
	tag: "Service",
	summary: "Say whether the server can take traffic",
	description: "Served on the operations port only.",
	auth: "none",
	success: { status: 200, body: Readiness },
	alternatives: [{ status: 503, description: "The same body, with the checks that failed." }],
	errors: [],
});

export const getMetrics = defineOperation({
	method: "GET",
	path: "/metrics",
	plane: "operations",
	port: "operations",
	audiences: ["operators"],
	tag: "Service",
	summary: "Read the metrics for Prometheus",
	description: "Served on the operations port only, in Prometheus' text format.",
	auth: "none",
	success: { status: 200, content: "text/plain", says: "The metrics in Prometheus' text format." },
	errors: [],
});

/** What the API's documents have in common. A copy is valid until the server changes. */
const document = {
	method: "GET",
	plane: "operations",
	tag: "Service",
	auth: "none",
	headers: z.object({ "If-None-Match": IfNoneMatch, "Accept-Encoding": AcceptEncoding }),
	responseHeaders: {
		ETag: "Strong; changes with the bytes.",
		"Cache-Control": "Five minutes.",
		"Content-Encoding": "`br` or `gzip` where the request takes it.",
	},
	alternatives: [{ status: 304, description: "The copy that If-None-Match names is still good." }],
	errors: [],
} as const;

export const getOpenApi = defineOperation({
	...document,
	path: "/v1/openapi.json",
	summary: "Read the tenants' part of this document",
	description:
		"The OpenAPI 3.1 document of what tenants use: their own operations, uploads, delivery and webhooks. Counts towards no limit.",
	success: { status: 200, content: "application/json", says: "An OpenAPI 3.1 document." },
});

export const getWholeOpenApi = defineOperation({
	...document,
	path: "/v1/openapi.all.json",
	summary: "Read this document with every plane",
	description:
		"The OpenAPI 3.1 document of all that this server serves, the planes of workers and operators too. Counts towards no limit.",
	success: { status: 200, content: "application/json", says: "An OpenAPI 3.1 document." },
});

export const getOperatorsOpenApi = defineOperation({
	...document,
	path: "/v1/openapi.operators.json",
	summary: "Read the operators' part of this document",
	description:
		"The OpenAPI 3.1 document of what the operator uses: the admin plane with the admin key, and the operations port. Counts towards no limit.",
	success: { status: 200, content: "application/json", says: "An OpenAPI 3.1 document." },
});

export const getWorkersOpenApi = defineOperation({
	...document,
	path: "/v1/openapi.workers.json",
	summary: "Read the workers' part of this document",
	description:
		"The OpenAPI 3.1 document of the internal plane, by which workers take jobs, fetch sources and deliver outputs. Counts towards no limit.",
	success: { status: 200, content: "application/json", says: "An OpenAPI 3.1 document." },
});

export const getConsoleOpenApi = defineOperation({
	...document,
	path: "/v1/openapi.console.json",
	summary: "Read the console's part of this document",
	description:
		"The OpenAPI 3.1 document of all that a session of the web console may call, with the headers and the errors that only such a session has. Counts towards no limit.",
	success: { status: 200, content: "application/json", says: "An OpenAPI 3.1 document." },
});

export const getDocs = defineOperation({
	...document,
	path: "/docs",
	responseHeaders: { ...document.responseHeaders, "Cache-Control": "At most five minutes." },
	summary: "Read the API reference as a page",
	description:
		"A page to read, search and try the API. A server without the built page answers a short one that links to the documents. Counts towards no limit.",
	success: { status: 200, content: "text/html", says: "The reference, or links to the documents." },
});
