import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { api, errors, eventTypes, type Operation, takesSession } from "../src/index.ts";
import type { DescribedOperation, OpenApiDocument, PathItem, Response } from "../src/openapi/document.ts";
import { createOpenApiDocument } from "../src/openapi.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const binary = (name: string) => join(root, "node_modules/.bin", name);
const environment = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

const serverUrl = "https://video.acme.test";
const document = createOpenApiDocument({ serverUrl });
/** The tenants' document of a server that does not serve every operation. */
const tenants = createOpenApiDocument({
	serverUrl,
	part: "tenants",
	unserved: ["getUsage", "createOutro", "getConsoleSession"],
});
const { paths } = document;
const { schemas = {} } = document.components;
const parts = ["tenants", "operators", "workers", "console", "all"] as const;

const operationsOf = (one: OpenApiDocument): DescribedOperation[] =>
	Object.values(one.paths).flatMap((item) => Object.values(item));
const nameOf = ({ $ref }: { $ref: string }): string => $ref.slice($ref.lastIndexOf("/") + 1);
const operationAt = ({ path, method }: Operation): DescribedOperation | undefined =>
	paths[path]?.[method.toLowerCase() as keyof PathItem];
/** What an operation answers with a status: its own answer, or that of the range. */
function answerOf(operation: DescribedOperation | undefined, status: number, one = document): Response | undefined {
	const answer = operation?.responses[status] ?? operation?.responses[`${String(status).charAt(0)}XX`];
	return answer && "$ref" in answer ? one.components.responses?.[nameOf(answer)] : answer;
}

describe("the OpenAPI document", () => {
	let folder: string;
	let files: string[];
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "reelmill-openapi-"));
		files = await Promise.all(
			parts.map(async (part) => {
				const file = join(folder, `openapi.${part}.json`);
				await writeFile(file, JSON.stringify(createOpenApiDocument({ serverUrl, part })));
				return file;
			}),
		);
	});
	afterAll(() => rm(folder, { recursive: true }));

	it("passes redocly's recommended rules without a finding", { timeout: 120_000 }, async () => {
		const { stdout } = await run(binary("redocly"), ["lint", "--format=json", ...files], {
			cwd: folder,
			env: environment,
			maxBuffer: 1e8,
		});
		const totals = [...stdout.matchAll(/"errors": (\d+),\s+"warnings": (\d+)/g)].map(([, ...found]) => found);
		expect(totals).toEqual(parts.map(() => ["0", "0"]));
	});

	it("passes spectral's OpenAPI rules without an error or a warning", { timeout: 120_000 }, async () => {
		// These two hold all that the others do.
		const linted = files.filter((file) => /openapi\.(tenants|all)\.json$/.test(file));
		const ruleset = fileURLToPath(new URL("../.spectral.yaml", import.meta.url));
		const { stdout } = await run(
			binary("spectral"),
			["lint", "--ruleset", ruleset, "--format=json", "--fail-severity=warn", ...linted],
			{
				env: environment,
				maxBuffer: 1e8,
			},
		);
		expect(JSON.parse(stdout.slice(stdout.indexOf("["), stdout.lastIndexOf("]") + 1))).toEqual([]);
	});

	it("is OpenAPI 3.1 of the given server and of the API's version, the same each time", () => {
		expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" }, servers: [{ url: serverUrl }] });
		expect(createOpenApiDocument({ serverUrl })).toEqual(document);
	});

	it("has in the tenants' part what tenants use, and nothing that only others do", () => {
		const operations = (Object.entries(api) as [string, Operation][]).filter(
			([name]) => !["getUsage", "createOutro", "getConsoleSession"].includes(name),
		);
		const wanted = operations.filter(
			([name, { plane }]) => ["tenant", "upload", "delivery"].includes(plane) || name === "getHealth",
		);
		expect(
			operationsOf(tenants)
				.map(({ operationId }) => operationId)
				.sort(),
		).toEqual(wanted.map(([name]) => name).sort());
		expect(Object.keys(tenants.paths).filter((path) => !/^\/(v1|uploads|videos)(\/|$)/.test(path))).toEqual([]);
		expect(Object.keys(tenants.webhooks ?? {})).toEqual([...eventTypes]);
	});

	it("has every operation in the document of all, and each audience's with its own credentials alone", () => {
		const heads = Object.entries(api as Record<string, Operation>).filter(([, { alsoHead }]) => alsoHead);
		expect(operationsOf(document)).toHaveLength(Object.keys(api).length + heads.length);
		const credentials = {
			tenants: ["domainKey", "playbackKey", "sandboxKey", "uploadToken"],
			operators: ["adminKey"],
			workers: ["serviceToken"],
			console: ["consoleSession"],
		} as const;
		const seen = new Set<string>();
		for (const part of ["tenants", "operators", "workers", "console"] as const) {
			const one = createOpenApiDocument({ serverUrl, part });
			expect(Object.keys(one.components.securitySchemes ?? {}).sort(), part).toEqual(credentials[part]);
			for (const { operationId } of operationsOf(one)) seen.add(operationId);
		}
		const ofNoAudience = (Object.keys(api) as string[]).filter((name) => !seen.has(name));
		expect(ofNoAudience).toEqual([
			"getOpenApi",
			"getWholeOpenApi",
			"getOperatorsOpenApi",
			"getWorkersOpenApi",
			"getConsoleOpenApi",
			"getDocs",
		]);
	});

	it("has the codes of the console only where a console session is the credential", () => {
		const ofConsole = ["domain_not_selected", "csrf_check_failed", "account_disabled"];
		for (const part of ["tenants", "operators", "workers"] as const) {
			const { components } = createOpenApiDocument({ serverUrl, part });
			for (const code of ofConsole) expect(Object.keys(components.schemas ?? {}), part).not.toContain(code);
		}
		const ofSessions = createOpenApiDocument({ serverUrl, part: "console" });
		for (const code of ofConsole) expect(Object.keys(ofSessions.components.schemas ?? {})).toContain(code);
		const cancel = ofSessions.paths["/v1/videos/{id}/cancel"]?.post;
		expect(cancel?.parameters).toEqual([
			{ $ref: "#/components/parameters/VideoId" },
			{ $ref: "#/components/parameters/XServiceConsole" },
			{ $ref: "#/components/parameters/XServiceDomain" },
		]);
	});

	it("has one schema a code, and a union of them wherever an answer may have several", () => {
		for (const [name, { properties = {}, required }] of Object.entries(schemas)) {
			if (!(name in errors)) continue;
			expect(properties["error"], name).toMatchObject({ type: "string", const: name });
			expect(required, name).toEqual(expect.arrayContaining(["error", "message"]));
		}
		expect(Object.keys(schemas)).toEqual(expect.arrayContaining(Object.keys(errors)));
		const conflict = answerOf(paths["/v1/videos"]?.post, 409)?.content?.["application/json"]?.schema;
		expect(conflict).toEqual({
			oneOf: [
				{ $ref: "#/components/schemas/concurrent_upload_exists" },
				{ $ref: "#/components/schemas/outro_not_ready" },
			],
			discriminator: { propertyName: "error" },
		});
	});

	it("says of every body that isn't JSON or text that it is bytes", () => {
		const contents = operationsOf(document).flatMap(({ requestBody, responses }) => [
			requestBody?.content ?? {},
			...Object.keys(responses).map(
				(status) => answerOf({ responses } as DescribedOperation, Number(status))?.content ?? {},
			),
		]);
		const bytes = contents
			.flatMap((content) => Object.entries(content))
			.filter(([type]) => !/json|^text\/|subrip$/.test(type));
		expect(new Set(bytes.map(([type]) => type))).toEqual(
			new Set([
				"application/offset+octet-stream",
				"application/zip",
				"application/vnd.apple.mpegurl",
				"application/dash+xml",
				"application/octet-stream",
				"image/jpeg",
				"image/png",
				"image/webp",
				"video/mp4",
				"video/*",
			]),
		);
		for (const [type, { schema }] of bytes) expect(schema, type).toEqual({ type: "string", format: "binary" });
	});

	it("answers 2xx or 3xx, somewhere, to every operation", () => {
		for (const { operationId, responses } of operationsOf(document))
			expect(Object.keys(responses).filter((status) => /^[23]/.test(status)).length, operationId).toBeGreaterThan(0);
	});

	it("holds what its operations need, and no more", () => {
		const names = (one: OpenApiDocument) => Object.keys(one.components.schemas ?? {});
		expect(names(tenants)).toEqual(expect.arrayContaining(["Video", "VideoReadyEvent", "RotateKey", "Visibility"]));
		for (const name of ["Job", "CreateDomain", "Usage", "CreateOutro", "Stats"])
			expect(names(tenants)).not.toContain(name);
		expect(names(document)).toEqual(expect.arrayContaining(["Job", "CreateDomain", "Usage", "CreateOutro", "Stats"]));
		expect(tenants.tags.map(({ name }) => name)).not.toContain("Jobs");
	});

	it("says where a body may be left out, and which media types it may have", () => {
		const bodyOf = (path: string, method: keyof PathItem) => paths[path]?.[method]?.requestBody;
		expect(bodyOf("/v1/domain/rotate-key", "post")).toMatchObject({ required: false });
		expect(bodyOf("/v1/videos", "post")).toMatchObject({ required: true });
		expect(Object.keys(bodyOf("/v1/domain/config", "patch")?.content ?? {})).toEqual([
			"application/json",
			"application/merge-patch+json",
		]);
		expect(bodyOf("/v1/domain/rotate-webhook-secret", "post")).toBeUndefined();
	});

	it("says that guesses at the credentials of operators and workers are limited", () => {
		for (const [name, operation] of Object.entries(api) as [string, Operation][]) {
			if (!["internal", "admin", "console"].includes(operation.plane) || operation.auth === "none") continue;
			expect(answerOf(operationAt(operation), 429)?.description, name).toContain("`rate_limited` (429)");
		}
	});

	it("takes a console session wherever the contract does, under the cookie that the address has", () => {
		for (const operation of Object.values(api) as Operation[]) {
			const { security = document.security ?? [] } = operationAt(operation) ?? {};
			const isTaken = security.some((one) => "consoleSession" in one);
			expect([operation.path, isTaken]).toEqual([operation.path, takesSession(operation)]);
		}
		const cookieAt = (address: string) =>
			createOpenApiDocument({ serverUrl: address }).components.securitySchemes?.["consoleSession"];
		expect(cookieAt(serverUrl)).toMatchObject({ in: "cookie", name: "__Host-reelmill_session" });
		expect(cookieAt("http://127.0.0.1:8787")).toMatchObject({ in: "cookie", name: "reelmill_session" });
	});

	it("says that a job's source, and a chunk's file, come as the kind of video that was uploaded", () => {
		for (const path of ["/internal/v1/jobs/{id}/source", "/internal/v1/jobs/{id}/parts"]) {
			for (const status of [200, 206])
				expect(Object.keys(answerOf(paths[path]?.get, status)?.content ?? {})).toEqual(["video/*"]);
		}
	});

	it("has every operation under its name, with its success and with every code at its status", () => {
		for (const [name, operation] of Object.entries(api) as [string, Operation][]) {
			const described = operationAt(operation);
			expect(described?.operationId).toBe(name);
			expect(described?.responses).toHaveProperty(String(operation.success.status));
			for (const code of operation.errors) {
				const status = operation.statuses?.[code] ?? errors[code].status;
				expect(answerOf(described, status)?.description, `${name} ${code}`).toContain(`\`${code}\``);
			}
		}
	});

	it("keeps requests closed and responses open", () => {
		expect(schemas["CreateVideo"]?.additionalProperties).toBe(false);
		expect(schemas["DomainConfigPatch"]).toMatchObject({
			additionalProperties: false,
			minProperties: 1,
			properties: { outputs: { additionalProperties: false } },
		});
		expect(
			JSON.stringify({
				...schemas,
				...Object.fromEntries(
					Object.keys(schemas)
						.filter(isRequest)
						.map((name) => [name, null]),
				),
			}),
		).not.toContain('"additionalProperties":false');
	});

	it("does not let null through where a nullable field is of a named schema", () => {
		expect(schemas["VideoOutputs"]?.type).toBe("object");
		expect(schemas["Video"]?.properties).toMatchObject({
			outputs: { anyOf: [{ $ref: "#/components/schemas/VideoOutputs" }, { type: "null" }] },
		});
	});

	it("has a page for a person beside the JSON of each failure, where a person's browser comes to the operation", () => {
		const { paths } = createOpenApiDocument({ serverUrl, part: "console" });
		for (const status of ["403", "404", "4XX", "5XX"])
			expect(paths["/console/v1/oauth/callback"]?.["get"]?.responses[status]).toMatchObject({
				content: { "application/json": {}, "text/html": {} },
			});
	});

	it("leaves a field with a default optional in what a caller writes", () => {
		expect(schemas["CreatePlaybackKey"]?.required).toEqual(["viewer_ref"]);
		expect(schemas["CreatePlaybackKey"]?.properties).toMatchObject({
			ttl_seconds: { default: 3600, minimum: 60, maximum: 86_400 },
		});
	});

	it("holds no schema that contains itself, which generators can't compile", () => {
		const within = (name: string, above: readonly string[]): string[] => {
			if (above.includes(name)) return [[...above, name].join(" > ")];
			const inner = [...JSON.stringify(schemas[name]).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
			return inner.flatMap(([, one = ""]) => within(one, [...above, name]));
		};
		expect(Object.keys(schemas).flatMap((name) => within(name, []))).toEqual([]);
		expect(schemas["CompleteRequest"]?.properties).toMatchObject({ report: { additionalProperties: {} } });
	});

	it("describes the four webhooks with their two headers", () => {
		const { webhooks = {}, components } = document;
		expect(Object.keys(webhooks)).toEqual([...eventTypes]);
		for (const { post } of Object.values(webhooks))
			expect(post.parameters).toEqual([
				{ $ref: "#/components/parameters/ServiceSignature" },
				{ $ref: "#/components/parameters/ServiceDeliveryId" },
			]);
		expect(components.parameters?.["ServiceSignature"]).toMatchObject({ name: "Service-Signature", in: "header" });
	});

	it("tells the events apart by their type", () => {
		const { oneOf = [], discriminator } = schemas["WebhookEvent"] ?? {};
		expect(discriminator?.propertyName).toBe("type");
		expect(Object.keys(discriminator?.mapping ?? {})).toEqual([...eventTypes, "webhook.test"]);
		expect(Object.values(discriminator?.mapping ?? {})).toEqual(oneOf.map(({ $ref }) => $ref));
		for (const [type, $ref] of Object.entries(discriminator?.mapping ?? {}))
			expect(schemas[nameOf({ $ref })]?.properties?.["type"]).toMatchObject({ const: type });
	});
});

function isRequest(name: string): boolean {
	return operationsOf(document).some(({ requestBody }) =>
		JSON.stringify(requestBody ?? null).includes(`"#/components/schemas/${name}"`),
	);
}
