import { defineOperation } from "../operation.ts";
import { Health, Readiness } from "../resources/health.ts";

export const getHealth = defineOperation({
	method: "GET",
	path: "/v1/health",
	plane: "operations",
	tag: "Service",
	summary: "Say that the server lives",
	description: "A liveness probe: touches neither database nor storage, and counts towards no limit.",
	auth: "none",
	success: { status: 200, body: Health },
	errors: [],
});

export const getReady = defineOperation({
	method: "GET",
	path: "/ready",
	plane: "operations",
	port: "operations",
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
	tag: "Service",
	summary: "Read the metrics for Prometheus",
	description: "Served on the operations port only, in Prometheus' text format.",
	auth: "none",
	success: { status: 200, content: "text/plain" },
	errors: [],
});

export const getOpenApi = defineOperation({
	method: "GET",
	path: "/v1/openapi.json",
	plane: "operations",
	tag: "Service",
	summary: "Read this document",
	description: "The OpenAPI 3.1 document of this server. Counts towards no limit.",
	auth: "none",
	success: { status: 200, content: "application/json" },
	errors: [],
});

export const getDocs = defineOperation({
	method: "GET",
	path: "/docs",
	plane: "operations",
	tag: "Service",
	summary: "Read the API reference as a page",
	description: "One HTML page that loads nothing else. Counts towards no limit.",
	auth: "none",
	success: { status: 200, content: "text/html" },
	errors: [],
});
