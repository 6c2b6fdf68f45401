import {
	type Api,
	answerHeaders,
	api,
	commonErrors,
	ErrorBody,
	type ErrorCode,
	errorExtras,
	errorHeaders,
	isJsonOperation,
	type Operation,
	type OperationName,
	statusOf,
} from "@reelmill/contracts";
import { servedElsewhere } from "@reelmill/http";
import { expect } from "vitest";
import type { Answer } from "./send.ts";

export type Named = Operation & { readonly name: OperationName };
const absent: ReadonlySet<OperationName> = new Set(servedElsewhere);

/** Every operation of the contract that this package serves, on all planes. */
export const served: readonly Named[] = (Object.keys(api) as OperationName[])
	.filter((name) => !absent.has(name))
	.map((name) => ({ ...(api[name] as Api[typeof name] & Operation), name }));

/** The path with each parameter filled in by its name. */
export const pathOf = ({ path }: Operation, fill: (name: string) => string): string =>
	path.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name));

/**
 * The operation that answers this method and path, of several the one without a parameter there; undefined where there
 * is none.
 */
export function operationAt(operations: readonly Named[], method: string, path: string): Named | undefined {
	const matches = operations.filter((operation) => {
		const fits = new RegExp(`^${operation.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
		return fits && (operation.method === method || (method === "HEAD" && operation.method === "GET"));
	});
	return matches.sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")))[0];
}

/**
 * Every answer that the contract lists for an operation, as `status` or `status code`. Undefined is a path that no
 * operation has.
 */
export function listedAnswers(operation: Operation | undefined): ReadonlySet<string> {
	if (operation === undefined) return new Set(["404 not_found"]);
	const codes = [...operation.errors, ...commonErrors(operation)].filter((code) => code !== "internal_error");
	const alternatives = (operation.alternatives ?? []).map(({ status }) =>
		status >= 400 ? `${status} bad_request` : String(status),
	);
	const ofBodies =
		isJsonOperation(operation) || operation.plane === "tenant" ? ["408 bad_request", "413 bad_request"] : [];
	return new Set([
		String(operation.success.status),
		...codes.map((code) => `${statusOf(operation, code)} ${code}`),
		...alternatives,
		...ofBodies,
	]);
}

/**
 * What an answer is, in the words of {@link listedAnswers}. The answer to a HEAD carries no code: any that the status
 * has will do.
 */
export function nameOf(answer: Answer): string {
	const { status, json, text } = answer;
	if (status < 400) return String(status);
	const code = isPage(answer) ? /<small>(\w+) /.exec(text)?.[1] : (json as { error?: string } | undefined)?.error;
	return `${status} ${code ?? ""}`.trim();
}

/** Whether an answer is for a person: a failed round trip to the identity provider, where a browser asked. */
const isPage = ({ headers }: Answer): boolean => headers["content-type"] === "text/html; charset=utf-8";

/** Fails unless the answer has the headers that the contract gives to all answers like it. */
export function expectHeaders({ status, headers }: Answer, operation: Operation | undefined): void {
	expect(headers).toMatchObject(operation === undefined ? errorHeaders(status) : answerHeaders(operation, status));
	expect(headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
}

/**
 * Fails unless the contract lists the answer for the operation, its body has the shape and it the headers that the
 * contract gives it, and it names its request.
 */
export function expectListed(
	answer: Answer,
	operation: Operation | undefined,
	sent: { method: string; requestId?: string | undefined },
): void {
	const listed = listedAnswers(operation);
	const isHead = sent.method === "HEAD";
	const name = nameOf(answer);
	const fits = isHead ? [...listed].some((one) => one.startsWith(name)) : listed.has(name);
	expect(fits ? "listed" : `${name} ${answer.text.slice(0, 300)}, not one of ${[...listed].join(", ")}`).toBe("listed");
	expectHeaders(answer, operation);
	const wellFormed = sent.requestId !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(sent.requestId);
	expect(answer.headers["x-request-id"]).toEqual(
		wellFormed ? sent.requestId : expect.stringMatching(/^[0-9a-f-]{36}$/),
	);
	if (isHead) expect(answer.text).toBe("");
	else if (answer.status >= 400 && isPage(answer)) expect(operation?.path).toMatch(/^\/console\/v1\/oauth\//);
	else if (answer.status >= 400) expectErrorBody(answer);
	else if (answer.status === operation?.success.status) expectSuccessBody(answer, operation);
}

function expectSuccessBody(answer: Answer, { success }: Operation): void {
	if ("body" in success && success.body !== undefined) success.body.parse(answer.json);
	else if (!("content" in success)) expect(answer.text).toBe("");
}

function expectErrorBody(answer: Answer): void {
	const body = ErrorBody.strict().parse(answer.json);
	const extras = errorExtras[body.error as ErrorCode & keyof typeof errorExtras];
	const { error: _, message, ...rest } = body;
	expect(message).not.toBe("");
	if (extras) extras.strict().parse(rest);
	else expect(rest).toEqual({});
	expect(answer.headers["retry-after"] !== undefined).toBe("retryAfter" in rest);
}
