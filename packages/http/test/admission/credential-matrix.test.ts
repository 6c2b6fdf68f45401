import { type ErrorCode, isJsonOperation, takesSession } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectHeaders, listedAnswers, type Named, nameOf, served } from "../support/contract.ts";
import { endedCredentials, freshCredentials, type Kind, kinds, unlimited } from "../support/credentials.ts";
import { finished } from "../support/finished.ts";
import { minimalRequest } from "../support/minimal.ts";
import { openService, type Service } from "../support/open-service.ts";
import type { Answer } from "../support/send.ts";
import { consoleOptions, signIn } from "../support/sessions.ts";
import { metadata } from "../support/tus.ts";

let service: Service;
let ended: Awaited<ReturnType<typeof endedCredentials>>;
beforeAll(async () => {
	service = await openService({}, () => ({ ...consoleOptions, rateLimiter: unlimited }));
	await service.engine.start();
	await service.engine.stop();
	ended = await endedCredentials(service);
});
afterAll(() => service.close());

const unknown = "00000000-0000-4000-8000-000000000000";
const domainKeys: ReadonlySet<Kind> = new Set<Kind>(["domain key", "another domain's key"]);
/** Both are keys of a domain; a sandbox session's is one of the sandbox domain. */
const tenantKeys: ReadonlySet<Kind> = new Set<Kind>([...domainKeys, "sandbox key"]);

const isSession = (kind: Kind): boolean => kind.includes("session") && kind !== "sandbox key";

/** What the contract says of a console session on an operation that takes one. */
function refusalOfSession({ auth, method }: Named, kind: Kind): ErrorCode | null {
	if (kind === "admin's session without x-service-console" && method !== "GET") return "csrf_check_failed";
	if (kind === "disabled account's session") return "account_disabled";
	if (kind === "ended session") return "unauthorized";
	if (auth === "admin") return kind.startsWith("member") ? "not_found" : null;
	if (auth === "console") return null;
	if (kind === "admin's session without a domain") return "domain_not_selected";
	return kind === "member's session in another domain" ? "domain_not_found" : null;
}

/** What the contract says of a credential on an operation: null if it opens the operation, else the refusal. */
function refusalOf(operation: Named, kind: Kind, visibility: "private" | "public"): ErrorCode | null {
	const { auth, sandbox, plane, method } = operation;
	if (isSession(kind) && takesSession(operation)) return refusalOfSession(operation, kind);
	const isFromConsole = isSession(kind) && kind !== "admin's session without x-service-console";
	switch (auth) {
		case "none":
			return plane === "console" && method !== "GET" && !isFromConsole ? "csrf_check_failed" : null;
		case "tenant":
			if (kind === "sandbox key" && sandbox === "refused") return "sandbox_not_allowed";
			return tenantKeys.has(kind) ? null : "unauthorized";
		case "service":
			if (kind === "service token") return null;
			return plane === "internal" && (tenantKeys.has(kind) || kind === "upload token") ? "forbidden" : "unauthorized";
		case "admin":
			if (kind === "admin key") return null;
			return tenantKeys.has(kind) ? "not_found" : "unauthorized";
		case "console":
			return tenantKeys.has(kind) ? "not_found" : "unauthorized";
		case "upload":
			return kind === "upload token" ? null : "unauthorized";
		case "playback":
			if (visibility === "public" || kind === "playback key") return null;
			return kind === "none" || isSession(kind) ? "playback_key_required" : "playback_key_invalid";
	}
}

const credentialCodes = new Set([
	"unauthorized",
	"forbidden",
	"sandbox_not_allowed",
	"playback_key_required",
	"playback_key_invalid",
	"not_found",
	"bad_request",
	"validation_error",
	"rate_limited",
	"csrf_check_failed",
	"domain_not_selected",
	"account_disabled",
]);
/** Codes that tell of a credential on the tenant plane, and of what was asked elsewhere, and the other way round. */
const tellsOfCredential = (code: string, { auth }: Named): boolean => {
	if (auth === "tenant" && code === "domain_not_found") return true;
	return credentialCodes.has(code) && !(code === "not_found" && (auth === "tenant" || auth === "none"));
};

/**
 * Fails unless the answer is one that only a credential which opens the operation gets: its success, or an error of its
 * own that speaks of what was asked.
 */
function expectOpened(operation: Named, answer: Answer): void {
	const beyond = [...listedAnswers(operation)].filter((one) => !tellsOfCredential(one.split(" ")[1] ?? "", operation));
	expect(beyond).toContain(nameOf(answer));
	if (operation.plane === "upload" || operation.plane === "delivery")
		expect(answer.status).toBe(operation.success.status);
}

let common: ReturnType<typeof freshCredentials> | undefined;
function shared(): ReturnType<typeof freshCredentials> {
	common ??= freshCredentials(service);
	return common;
}

async function answersTo(operation: Named, visibility: "private" | "public" = "private"): Promise<Map<Kind, Answer>> {
	// What only reads leaves the credentials as they are.
	const isRead = operation.plane !== "upload" && ["GET", "HEAD"].includes(operation.method);
	const { headers, upload } = await (isRead ? shared() : freshCredentials(service));
	const id =
		operation.plane === "delivery"
			? await finished(service, headers["domain key"], visibility)
			: operation.plane === "upload"
				? upload.video.id
				: operation.path.startsWith("/admin/v1/console-accounts/")
					? (await signIn(service, { role: "member" })).accountId
					: unknown;
	if (operation.plane === "upload" && operation.method !== "POST") await created(id, headers["upload token"]);
	const sent = minimalRequest(operation, id);
	const answers = new Map<Kind, Answer>();
	for (const kind of kinds) {
		// Signing out ends the session, which other kinds share.
		const own = operation.name === "deleteConsoleSession" ? (await freshCredentials(service)).headers : headers;
		answers.set(kind, await service.send({ ...sent, headers: { ...sent.headers, ...{ ...own, ...ended }[kind] } }));
	}
	return answers;
}

async function created(id: string, token: Record<string, string>): Promise<void> {
	const answer = await service.send({
		method: "POST",
		path: "/uploads",
		headers: { ...token, "tus-resumable": "1.0.0", "upload-length": "10", "upload-metadata": metadata(id) },
	});
	expect(answer.status).toBe(201);
}

function expectAnswers(
	operation: Named,
	answers: Map<Kind, Answer>,
	visibility: "private" | "public" = "private",
): void {
	for (const [kind, answer] of answers) {
		const refusal = refusalOf(operation, kind, visibility);
		const told = `${kind}: ${nameOf(answer)}`;
		expectHeaders(answer, operation);
		if (refusal === null) {
			expect(() => expectOpened(operation, answer), told).not.toThrow();
			continue;
		}
		const listed = [...listedAnswers(operation)].find((one) => one.endsWith(` ${refusal}`)) ?? "";
		expect(told).toBe(`${kind}: ${operation.method === "HEAD" ? listed.slice(0, 3) : listed}`);
		if (operation.method !== "HEAD") expect(answer.json, told).toEqual({ error: refusal, message: expect.any(String) });
	}
}

describe("every credential on every operation", () => {
	it("is tried on all that is served", () => {
		expect(served.filter(isJsonOperation).length).toBeGreaterThan(40);
		expect(served.map(({ plane }) => plane)).toEqual(
			expect.arrayContaining(["tenant", "upload", "delivery", "internal", "admin", "console", "operations"]),
		);
	});

	it.each(served)("opens or refuses $name ($method $path) as the contract says", async (operation) => {
		expectAnswers(operation, await answersTo(operation));
	});

	it.each(served.filter(({ plane }) => plane === "delivery"))(
		"opens $name of a public video, whatever it is",
		async (operation) => {
			expectAnswers(operation, await answersTo(operation, "public"), "public");
		},
	);

	it.each(served.filter(({ alsoHead }) => alsoHead))("opens or refuses HEAD of $name as GET", async (operation) => {
		const head = { ...operation, method: "HEAD" } as const;
		expectAnswers(head, await answersTo(head));
	});
});
