import type { ApiDocument } from "../../api/document.ts";

const id = { type: "string", format: "uuid" };
const codes = ["unauthorized", "bad_request", "validation_error", "video_not_found", "not_found"];
const error = (...listed: string[]) => ({
	content: {
		"application/json": { schema: { oneOf: listed.map((code) => ({ $ref: `#/components/schemas/${code}` })) } },
	},
});
const ok = (schema: string) => ({
	content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
});
const tenant = [{ domainKey: [] }];

/** A document of three operations, in the form of the product's document. */
export const smallApi = {
	paths: {
		"/v1/health": {
			get: {
				operationId: "getHealth",
				security: [],
				responses: { 200: ok("Health"), 400: error("bad_request", "validation_error") },
			},
		},
		"/v1/videos": {
			post: {
				operationId: "createVideo",
				security: tenant,
				requestBody: {
					required: true,
					content: { "application/json": { schema: { $ref: "#/components/schemas/CreateVideo" } } },
				},
				responses: {
					201: ok("Video"),
					400: error("bad_request", "validation_error"),
					401: error("unauthorized"),
					413: error("bad_request"),
				},
			},
		},
		"/v1/videos/{id}": {
			get: {
				operationId: "getVideo",
				security: tenant,
				parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
				responses: { 200: ok("Video"), 401: error("unauthorized"), 404: error("video_not_found") },
			},
		},
	},
	components: {
		schemas: {
			Health: { type: "object", properties: { status: { type: "string" } }, required: ["status"] },
			Video: {
				type: "object",
				properties: { id, external_ref: { type: ["string", "null"] } },
				required: ["id", "external_ref"],
			},
			CreateVideo: {
				type: "object",
				properties: {
					content_type: { type: "string", minLength: 1, maxLength: 100 },
					file_size: { type: "integer", minimum: 1, maximum: 100 },
				},
				required: ["content_type", "file_size"],
				additionalProperties: false,
			},
			...Object.fromEntries(
				codes.map((code) => [
					code,
					{
						type: "object",
						properties: { error: { type: "string", const: code }, message: { type: "string" } },
						required: ["error", "message"],
					},
				]),
			),
		},
	},
} as unknown as ApiDocument;
