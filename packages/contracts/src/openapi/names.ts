import { type ErrorCode, errors } from "../errors.ts";
import type { DescribedOperation, Parameter, Response } from "./document.ts";

/** Writes `video_not_found` or `x-request-id` as `VideoNotFound` and `XRequestId`. */
export const pascal = (text: string): string =>
	text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_match, first: string) => first.toUpperCase());

/** Returns `VideoId` of `/v1/videos/{id}`, `Cursor` of a query. */
export function nameOfParameter(path: string, { name, in: place }: Parameter): string {
	if (place !== "path") return pascal(name);
	const [before = ""] = path.split(`/{${name}}`);
	const noun = before.slice(before.lastIndexOf("/") + 1);
	return `${pascal(noun === "hls" ? noun : noun.replace(/ies$/, "y").replace(/s$/, ""))}${pascal(name)}`;
}

/** Codes that many answers have beside their own. */
const common: readonly string[] = ["bad_request", "validation_error", "internal_error"] satisfies ErrorCode[];

/**
 * Returns `VideoNotFound` of an error, `NotFoundOrVideoNotFound` of one of two, `PlaybackKey401` of several of a kind,
 * `RefusedDomainKey` of what any operation with this credential may answer, `Video200` of a body.
 */
export function nameOfAnswer(method: string, status: string, answer: Response, operation: DescribedOperation): string {
	const { description, content = {} } = answer;
	const codes = [...new Set([...description.matchAll(/^`(\w+)`/gm)].map(([, code = ""]) => code))];
	const own = codes.filter((code) => !common.includes(code));
	const either = (names: readonly string[]) => names.map(pascal).join("Or");
	const named = (): string => {
		if (status === "4XX") {
			const credentials = (operation.security ?? []).flatMap((one) => Object.keys(one));
			const isRead = method === "get" && credentials.includes("consoleSession");
			return `Refused${either(credentials) || "Anyone"}${isRead ? "Read" : ""}`;
		}
		// The words that several codes begin with, such as `playback_key`.
		const [, kind] = /^(\w+)_\w+(?: \1_\w+)+$/.exec(own.join(" ")) ?? [];
		if (kind !== undefined) return `${pascal(kind)}${status}`;
		if (status === "5XX") return either(own) || "Failed";
		if (codes.length > 0) {
			const isUsual = codes.every((code) => String(errors[code as ErrorCode].status) === status);
			return `${either(own) || either(codes)}${isUsual ? "" : status}`;
		}
		const [[type, { schema }] = ["Answer", {}] as const] = Object.entries(content);
		return `${schema?.$ref?.replace(/.*\//, "") ?? pascal(type)}${status}`;
	};
	return `${method === "head" ? "Head" : ""}${named()}`;
}
