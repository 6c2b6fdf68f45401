import type { OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";

type Made = ReturnType<OpenApiGeneratorV31["generateDocument"]>;
type MadeOperation = NonNullable<NonNullable<Made["paths"]>[string]["get"]>;
type MadeParts = Required<NonNullable<Made["components"]>>;
type MadePart<Kind extends keyof MadeParts> = Exclude<MadeParts[Kind][string], { $ref: string }>;
type Choice = "anyOf" | "oneOf" | "allOf";

/** A reference to a component, with a description of its own where it has one. */
export type Reference = { readonly $ref: string; readonly description?: string };
/** A JSON Schema 2020-12, as the document has them. */
export type JsonSchema = Omit<MadePart<"schemas">, "items" | "properties" | "additionalProperties" | Choice> & {
	[Name in Choice]?: JsonSchema[];
} & {
	items?: JsonSchema;
	properties?: Record<string, JsonSchema>;
	additionalProperties?: boolean | JsonSchema;
	contentSchema?: JsonSchema;
};
/** A header of an answer. */
export type Header = { description: string; schema: JsonSchema; example?: unknown };
/** A parameter of a request: a part of its path or query, or a header. It must be given if it is `required`. */
export type Parameter = Omit<Header, "description"> & {
	name: string;
	in: "path" | "query" | "header";
	required?: boolean;
	description?: string;
};
/** What a body may be, by media type. */
export type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
/** An answer with its headers and its body. */
export type Response = { description: string; headers?: Record<string, Header | Reference>; content?: Content };
/** One operation of the document. Any one of its credentials is enough; without any, those of the document hold. */
export type DescribedOperation = Required<Pick<MadeOperation, "operationId" | "tags" | "summary" | "description">> &
	Pick<MadeOperation, "security" | "servers"> & {
		parameters?: (Parameter | Reference)[];
		requestBody?: { description?: string; required: boolean; content: Content };
		responses: Record<string, Response | Reference>;
	};
/** The operations of a path, by method in small letters. */
export type PathItem = { [Method in "get" | "head" | "post" | "put" | "patch" | "delete"]?: DescribedOperation };
/** A kind of credential. */
export type SecurityScheme = MadePart<"securitySchemes"> & { description: string };

/** An OpenAPI 3.1 document, as `createOpenApiDocument` makes it. */
export type OpenApiDocument = Pick<Made, "openapi" | "security"> & {
	info: Made["info"] & { description: string };
	servers: NonNullable<Made["servers"]>;
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
