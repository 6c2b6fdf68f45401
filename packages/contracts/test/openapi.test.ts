import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { api, errors, eventTypes, type Operation, takesSession } from "../src/index.ts";
import { createOpenApiDocument } from "../src/openapi.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const binary = (name: string) => join(root, "node_modules/.bin", name);
const environment = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

type Response = {
	description: string;
	content?: Record<string, { schema?: { allOf?: [unknown, { properties: { error: { enum: string[] } } }] } }>;
};
type PathItem = Record<string, { operationId: string; responses: Record<string, Response> }>;
const serverUrl = "https://video.acme.test";
const document = createOpenApiDocument({ serverUrl });
/** The tenants' document of a server that does not serve every operation. */
const tenants = createOpenApiDocument({
	serverUrl,
	part: "tenants",
	unserved: ["getUsage", "createOutro", "getConsoleSession"],
});
const paths = document.paths as unknown as Record<string, PathItem>;
const schemas = document.components?.schemas as unknown as Record<string, Record<string, unknown>>;

describe("the OpenAPI document", () => {
	let folder: string;
	let files: string[];
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "reelmill-openapi-"));
		files = [join(folder, "openapi.all.json"), join(folder, "openapi.json")];
		for (const [index, one] of [document, tenants].entries()) await writeFile(files[index] ?? "", JSON.stringify(one));
	});
	afterAll(() => rm(folder, { recursive: true }));

	it("passes redocly's recommended rules without an error", { timeout: 120_000 }, async () => {
		const { stdout } = await run(binary("redocly"), ["lint", "--format=json", ...files], {
			cwd: folder,
			env: environment,
			maxBuffer: 1e8,
		});
		expect([...stdout.matchAll(/"errors": (\d+)/g)].map(([, errors]) => errors)).toEqual(["0", "0"]);
	});

	it("passes spectral's OpenAPI rules without an error or a warning", { timeout: 120_000 }, async () => {
		const ruleset = fileURLToPath(new URL("../.spectral.yaml", import.meta.url));
		const { stdout } = await run(
			binary("spectral"),
			["lint", "--ruleset", ruleset, "--format=json", "--fail-severity=warn", ...files],
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
			([, { plane, port }]) =>
				["tenant", "upload", "delivery"].includes(plane) || (plane === "operations" && port === undefined),
		);
		const described = Object.values(tenants.paths as unknown as Record<string, PathItem[string]>).flatMap(
			(item) => Object.values(item) as unknown as { operationId: string }[],
		);
		const heads = wanted.filter(([, { alsoHead }]) => alsoHead).map(([name]) => name.replace(/^get/, "head"));
		expect(described.map(({ operationId }) => operationId).sort()).toEqual(
			[...wanted.map(([name]) => name), ...heads].sort(),
		);
		expect(Object.keys(tenants.paths ?? {}).filter((path) => !/^\/(v1|uploads|videos|docs)(\/|$)/.test(path))).toEqual(
			[],
		);
		expect(Object.keys(tenants.webhooks ?? {})).toEqual([...eventTypes]);
	});

	it("holds what its operations need, and no more", () => {
		const names = (one: typeof document) => Object.keys(one.components?.schemas ?? {});
		expect(names(tenants)).toEqual(expect.arrayContaining(["Video", "VideoReadyEvent", "RotateKey", "Visibility"]));
		for (const name of ["Job", "CreateDomain", "Usage", "CreateOutro", "Stats"])
			expect(names(tenants)).not.toContain(name);
		expect(names(document)).toEqual(expect.arrayContaining(["Job", "CreateDomain", "Usage", "CreateOutro", "Stats"]));
		expect(Object.keys(tenants.components?.securitySchemes ?? {})).not.toContain("adminKey");
		expect(tenants.tags?.map(({ name }) => name)).not.toContain("Jobs");
	});

	it("says where a body may be left out, and which media types it may have", () => {
		const bodyOf = (path: string, method: string) => {
			const operation = paths[path]?.[method] as { requestBody?: { required: boolean; content: object } } | undefined;
			return operation?.requestBody;
		};
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
			expect(paths[operation.path]?.[operation.method.toLowerCase()]?.responses[429]?.description, name).toContain(
				"`rate_limited`",
			);
		}
	});

	it("takes a console session wherever the contract does, under the cookie that the address has", () => {
		for (const operation of Object.values(api) as Operation[]) {
			const described = paths[operation.path]?.[operation.method.toLowerCase()] as { security?: object[] } | undefined;
			const isTaken = described?.security?.some((one) => "consoleSession" in one) ?? false;
			expect([operation.path, isTaken]).toEqual([operation.path, takesSession(operation)]);
		}
		const cookieAt = (address: string) =>
			createOpenApiDocument({ serverUrl: address }).components?.securitySchemes?.["consoleSession"];
		expect(cookieAt(serverUrl)).toMatchObject({ in: "cookie", name: "__Host-reelmill_session" });
		expect(cookieAt("http://127.0.0.1:8787")).toMatchObject({ in: "cookie", name: "reelmill_session" });
	});

	it("says that a job's source, and a chunk's file, come as the kind of video that was uploaded", () => {
		for (const path of ["/internal/v1/jobs/{id}/source", "/internal/v1/jobs/{id}/parts"]) {
			for (const status of [200, 206])
				expect(Object.keys(paths[path]?.["get"]?.responses[status]?.content ?? {})).toEqual(["video/*"]);
		}
	});

	it("has every operation under its name, with its success and with every code at its status", () => {
		for (const [name, operation] of Object.entries(api) as [string, Operation][]) {
			const described = paths[operation.path]?.[operation.method.toLowerCase()];
			expect(described?.operationId).toBe(name);
			expect(described?.responses).toHaveProperty(String(operation.success.status));
			for (const code of operation.errors) {
				const status = operation.statuses?.[code] ?? errors[code].status;
				expect(described?.responses[status]?.description, `${name} ${code}`).toContain(`\`${code}\``);
			}
		}
	});

	it("lets a client narrow an error answer to the codes of its status", () => {
		const conflict = paths["/v1/videos"]?.post?.responses[409]?.content?.["application/json"]?.schema;
		expect(conflict?.allOf?.[0]).toEqual({ $ref: "#/components/schemas/ErrorBody" });
		expect(conflict?.allOf?.[1].properties.error.enum).toEqual(["concurrent_upload_exists", "outro_not_ready"]);
	});

	it("keeps requests closed and responses open", () => {
		expect(schemas.CreateVideo?.additionalProperties).toBe(false);
		expect(schemas.DomainConfigPatch).toMatchObject({
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
		expect(schemas.VideoOutputs?.type).toBe("object");
		expect(schemas.Video?.properties).toMatchObject({
			outputs: { anyOf: [{ $ref: "#/components/schemas/VideoOutputs" }, { type: "null" }] },
		});
	});

	it("leaves a field with a default optional in what a caller writes", () => {
		expect(schemas.CreatePlaybackKey?.required).toEqual(["viewer_ref"]);
		expect(schemas.CreatePlaybackKey?.properties).toMatchObject({
			ttl_seconds: { default: 3600, minimum: 60, maximum: 86_400 },
		});
	});

	it("describes the recursive JSON of a job's report", () => {
		expect(schemas.CompleteRequest?.properties).toMatchObject({
			report: { additionalProperties: { $ref: "#/components/schemas/Json" } },
		});
		expect(JSON.stringify(schemas.Json)).toContain('"$ref":"#/components/schemas/Json"');
	});

	it("describes the four webhooks with their two headers", () => {
		const webhooks = document.webhooks as unknown as Record<string, { post: { parameters: { name: string }[] } }>;
		expect(Object.keys(webhooks)).toEqual([...eventTypes]);
		for (const { post } of Object.values(webhooks))
			expect(post.parameters.map(({ name }) => name)).toEqual(["Service-Signature", "Service-Delivery-Id"]);
	});
});

function isRequest(name: string): boolean {
	const users = Object.values(paths).flatMap((item) => Object.values(item) as { requestBody?: unknown }[]);
	return users.some(({ requestBody }) =>
		JSON.stringify(requestBody ?? null).includes(`"#/components/schemas/${name}"`),
	);
}
