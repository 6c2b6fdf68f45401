import { ReelmillError } from "@reelmill/contracts";

/**
 * Throws `validation_error` if a text or a key of this JSON value holds NUL or half a surrogate pair, which no text
 * column stores, or if a key is `__proto__`, which schemas pass over. The message names the field.
 */
export function refuseUnstorable(value: unknown): void {
	// A list in place of calls, because a value may be nested as deeply as its body is long.
	const left: { readonly at: string; readonly value: unknown }[] = [{ at: "", value }];
	for (let next = left.pop(); next !== undefined; next = left.pop()) {
		const { at, value } = next;
		if (typeof value === "string" && !isStorable(value)) throw unstorable(at);
		if (typeof value !== "object" || value === null) continue;
		for (const [key, child] of Object.entries(value)) {
			const path = at === "" ? key : `${at}.${key}`;
			if (!isStorable(key)) throw unstorable(path);
			if (key === "__proto__") throw new ReelmillError("validation_error", { message: `${path}: is no name` });
			left.push({ at: path, value: child });
		}
	}
}

/** Tells whether PostgreSQL can store a text. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

const unstorable = (path: string): ReelmillError =>
	new ReelmillError("validation_error", {
		message: `${JSON.stringify(path.slice(0, 200)).slice(1, -1) || "the body"}: holds NUL or half a surrogate pair`,
	});
