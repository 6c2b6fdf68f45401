import type { ApiOperation } from "../api/document.ts";
import { type Answer, codeOf, jsonOf } from "../send/answer.ts";
import type { Finding } from "./finding.ts";

/**
 * Finds missing headers that the contract promises for every answer. An answer to a request that Node refused unread is
 * not judged.
 */
export function headerFindings(
	operations: readonly ApiOperation[],
	path: string,
	{ headers, status, ...rest }: Answer,
): Finding[] {
	if (!headers.has("x-request-id") || status === 417) return [];
	const findings: Finding[] = [];
	const answer = { headers, status, ...rest };
	const plane = /^\/(?:v1|uploads|videos|internal|admin|console)(?=\/|$)/.exec(path)?.[0] ?? "another path";
	const want = (name: string, holds: (value: string) => boolean, when: string) => {
		const value = headers.get(name) ?? "";
		if (!holds(value))
			findings.push({
				rule: `${when} ${name}`,
				subject: `${plane}: ${status} ${codeOf(answer) ?? ""}`.trim(),
				detail: `${name}: ${value || "(none)"}`,
			});
	};
	if (status === 401) want("www-authenticate", (value) => value.startsWith("Bearer"), "a 401 has");
	const json = jsonOf(answer);
	if (typeof json === "object" && json !== null && "retryAfter" in json)
		want("retry-after", (value) => /^\d+$/.test(value), "an answer with retryAfter has");
	if (plane === "/videos") {
		want("x-content-type-options", (value) => value === "nosniff", "an answer of the delivery plane has");
		want(
			"content-security-policy",
			(value) => value === "default-src 'none'; sandbox",
			"an answer of the delivery plane has",
		);
	}
	const isTold = operations.some(
		(operation) => operation.auth !== "none" && "application/json" in (operation.answer(status)?.content ?? {}),
	);
	if (isTold && status < 300 && plane !== "another path") {
		want("cache-control", (value) => value.includes("no-store"), "JSON for the holder of a credential has");
		want("x-content-type-options", (value) => value === "nosniff", "JSON for the holder of a credential has");
	}
	return findings;
}
