/** A reference to a component, with a description of its own where it has one. */
export type Reference = { readonly $ref: string; readonly description?: string };

/** The part of JSON Schema 2020-12 that the document has. */
export type JsonSchema = {
	$ref?: string;
	type?: string | string[];
	description?: string;
	format?: string;
	enum?: unknown[];
	const?: unknown;
	pattern?: string;
	default?: unknown;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	minItems?: number;
	maxItems?: number;
	minProperties?: number;
	uniqueItems?: boolean;
	items?: JsonSchema;
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: boolean | JsonSchema;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	allOf?: JsonSchema[];
	discriminator?: { propertyName: string; mapping?: Record<string, string> };
	contentMediaType?: string;
	contentSchema?: JsonSchema;
	examples?: unknown[];
};

/** A parameter of a request: a part of its path or query, or a header. */
export type Parameter = {
	name: string;
	in: "path" | "query" | "header";
	/** Whether it must be given (default: false). */
	required?: boolean;
	description?: string;
	schema: JsonSchema;
	example?: unknown;
};
/** What a body may be, by media type. */
export type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
export type Header = { description: string; schema: JsonSchema; example?: unknown };
/** An answer with its headers and its body. */
export type Response = { description: string; headers?: Record<string, Header | Reference>; content?: Content };
export type RequestBody = { description?: string; required: boolean; content: Content };
type Server = {
	url: string;
	description?: string;
	variables?: Record<string, { default: string; description?: string }>;
};
/** One operation of the document. */
export type DescribedOperation = {
	operationId: string;
	tags: string[];
	summary: string;
	description: string;
	/** Any one of these is enough (default: that of the document). */
	security?: Record<string, string[]>[];
	servers?: Server[];
	parameters?: (Parameter | Reference)[];
	requestBody?: RequestBody;
	responses: Record<string, Response | Reference>;
};
/** The operations of a path, by method in small letters. */
export type PathItem = { [Method in "get" | "head" | "post" | "put" | "patch" | "delete"]?: DescribedOperation };
export type SecurityScheme =
	| { type: "http"; scheme: "bearer"; description: string }
	| { type: "apiKey"; in: "cookie"; name: string; description: string };

/** An OpenAPI 3.1 document, as `createOpenApiDocument` makes it. */
export type OpenApiDocument = {
	openapi: "3.1.0";
	info: {
		title: string;
		version: string;
		description: string;
		license: { name: string; identifier: string };
		contact: { name: string; url: string };
	};
	servers: Server[];
	security?: Record<string, string[]>[];
	tags: { name: string; description: string }[];
	paths: Record<string, PathItem>;
	webhooks?: Record<string, { post: DescribedOperation }>;
	components: {
		schemas?: Record<string, JsonSchema>;
		parameters?: Record<string, Parameter>;
		headers?: Record<string, Header>;
		responses?: Record<string, Response>;
		securitySchemes?: Record<string, SecurityScheme>;
	};
};
