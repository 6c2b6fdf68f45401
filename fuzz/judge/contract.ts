import type { AnswerSchemas } from "../api/answers.ts";
import type { ApiOperation } from "../api/document.ts";
import { type Answer, codeOf, jsonOf } from "../send/answer.ts";
import type { WrittenRequest } from "../world/resolve.ts";
import type { Finding } from "./finding.ts";
import { rules } from "./rules.ts";

const wellFormedId = /^[A-Za-z0-9._-]{1,128}$/;
/** How any path, even one of no operation, may be refused: by the router, by authentication and by the limits. */
const refusals: Readonly<Record<number, readonly string[]>> = {
	400: ["bad_request", "invalid_path"],
	401: ["unauthorized", "playback_key_required", "playback_key_invalid"],
	403: ["forbidden"],
	404: ["not_found"],
	413: ["bad_request"],
	429: ["rate_limited"],
};

/**
 * Compares an answer with the document: its status, its body, its media type and its request's id. `operations` are
 * those that the request may have reached.
 */
export function contractFindings(
	operations: readonly ApiOperation[],
	sent: Pick<WrittenRequest, "method" | "path" | "headers" | "port">,
	answer: Answer,
	schemas: AnswerSchemas,
): Finding[] {
	const findings: Finding[] = [];
	const { status } = answer;
	const subject = operations.map(({ name }) => name).join(" or ") || `${sent.method} of no operation`;
	const add = (rule: string, detail: string) =>
		findings.push({ rule, subject: `${subject}: ${status} ${codeOf(answer) ?? ""}`.trim(), detail });
	if (isUnread(answer))
		return unreadFindings("a request that is refused unread", answer, schemas, sent.method === "HEAD");
	if (status >= 500) add(rules.noFault, answer.body.toString().slice(0, 300));
	else if (sent.method !== "OPTIONS" || status !== 204) {
		const differences = [
			...operations.map((operation) => differenceFrom(operation, sent.method, answer, schemas)),
			...(operations.some((one) => isExact(one, sent))
				? []
				: [isConsolePage(sent, answer) ? null : strayDifference(answer, schemas, sent.method)]),
		];
		if (!differences.includes(null)) add(rules.described, differences.filter((one) => one !== null).join("; or "));
	}
	if (sent.port !== "operations") {
		const wanted = sent.headers["x-request-id"];
		const got = answer.headers.get("x-request-id");
		if (got === undefined) add(rules.named, "it has none");
		else if (typeof wanted === "string" && wellFormedId.test(wanted.trim()) && got !== wanted.trim())
			add(rules.named, `${got} in place of ${wanted}`);
	}
	if (sent.method === "HEAD" && answer.body.length > 0) add(rules.bodiless, answer.body.toString().slice(0, 100));
	return findings;
}

/** Returns whether no other operation can have answered. */
const isExact = (
	operation: ApiOperation,
	{ method, path, port }: Pick<WrittenRequest, "method" | "path" | "port">,
): boolean =>
	operation.method === method &&
	(operation.port === "operations") === (port === "operations") &&
	/^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:\?.*)?$/s.test(path);

/** Returns null if the document describes this answer. */
function differenceFrom(
	operation: ApiOperation,
	method: string,
	answer: Answer,
	schemas: AnswerSchemas,
): string | null {
	const { status, headers } = answer;
	const declared = operation.answer(status);
	if (declared === undefined) return `${operation.name} declares no ${status}`;
	if (method === "HEAD" || operation.method === "HEAD") return null;
	const types = Object.keys(declared.content);
	const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim() ?? "";
	if (types.length === 0) return answer.body.length === 0 ? null : `${operation.name} declares no body for ${status}`;
	if (!types.some((one) => covers(one, type.toLowerCase())))
		return `${operation.name} declares ${types.join(", ")} for ${status}, not ${type || "nothing"}`;
	if (type !== "application/json") return null;
	const json = jsonOf(answer);
	if (json === undefined) return "the body is no JSON";
	return schemas.differenceIn(operation, status, json);
}

/** Returns whether a media type is the declared one, or in a declared range such as `video/*`. */
const covers = (declared: string, type: string): boolean =>
	declared === type || (declared.endsWith("/*") && type.startsWith(declared.slice(0, -1)));

/** Returns whether the web console's page answered: it is no part of the document, and under every path there. */
function isConsolePage(
	{ method, path }: Pick<WrittenRequest, "method" | "path">,
	{ status, headers }: Answer,
): boolean {
	const [pathname = ""] = path.split("?", 1);
	const isThere = pathname === "/" || pathname === "/console" || pathname.startsWith("/console/");
	const isPlane = pathname === "/console/v1" || pathname.startsWith("/console/v1/");
	if (!isThere || isPlane || (method !== "GET" && method !== "HEAD")) return false;
	return status === 200 ? headers.has("content-security-policy") : [302, 304, 308].includes(status);
}

/** Judges the answer to a request that reached no operation; returns null if it is right. */
function strayDifference(answer: Answer, schemas: AnswerSchemas, method: string): string | null {
	const codes = refusals[answer.status];
	if (codes === undefined) return `${answer.status} is no answer to a request that comes to no operation`;
	if (method === "HEAD") return null;
	const json = jsonOf(answer);
	if (json === undefined) return "the body is no JSON";
	if (!codes.includes(codeOf(answer) ?? ""))
		return `${codeOf(answer)} is no answer to a request that comes to no operation`;
	return schemas.differenceInError(json);
}

/** Returns whether Node's parser refused the request, before our code could read it. */
const isUnread = ({ status, headers }: Answer): boolean =>
	[417, 431].includes(status) || ([400, 408, 413].includes(status) && headers.get("x-request-id") === undefined);

/** Such an answer must still have the contract's body and an id. */
export function unreadFindings(label: string, answer: Answer, schemas: AnswerSchemas, isHead: boolean): Finding[] {
	const { status, headers } = answer;
	const subject = `${label}: ${status} ${codeOf(answer) ?? ""}`.trim();
	const json = jsonOf(answer);
	const difference = isHead
		? null
		: json === undefined
			? `the body is no JSON: ${answer.body.toString().slice(0, 100)}`
			: schemas.differenceInError(json);
	return [
		...(headers.get("x-request-id") === undefined ? [{ rule: rules.named, subject, detail: "it has none" }] : []),
		...(difference === null ? [] : [{ rule: rules.described, subject, detail: difference }]),
	];
}
