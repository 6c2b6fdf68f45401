import type { CallInput, CallResult } from "@reelmill/client";
import { formatCount } from "../../../format/amounts.ts";
import { exactBytes, readBytes } from "../../../format/bytes.ts";

type Domain = CallResult<"getAdminDomain">;
export type LimitName = keyof Domain["limits"];
export type Draft = Record<LimitName | "slug", string>;
export type Patch = NonNullable<CallInput<"updateDomain">["body"]>;

export const sandboxSlug = "sandbox";

const gibibyte = 1024 ** 3;
const bytesHint = (what: string, fallback: number) =>
	`${what} Write 20 GiB or 500 MiB, or a number of bytes from 0. Default: ${fallback / gibibyte} GiB.`;

/** The limits that an operator sets, with what each bounds and its default. */
export const limitFields: { readonly [_ in LimitName]: { readonly label: string; readonly hint: string } } = {
	daily_upload_bytes: {
		label: "Uploads per day",
		hint: bytesHint("How much may be uploaded per day (UTC).", 10 * gibibyte),
	},
	storage_bytes_limit: {
		label: "Storage",
		hint: bytesHint("How much may be stored. When it is full, new uploads are refused.", 100 * gibibyte),
	},
	max_concurrent_processing: {
		label: "Videos at once",
		hint: "How many videos are processed at the same time, from 1 to 1,000,000. Default: 4.",
	},
};

export const draftOf = ({ slug, limits }: Domain): Draft => ({
	slug,
	daily_upload_bytes: exactBytes(limits.daily_upload_bytes),
	storage_bytes_limit: exactBytes(limits.storage_bytes_limit),
	max_concurrent_processing: String(limits.max_concurrent_processing),
});

const numberIn = (name: LimitName, text: string): number | null =>
	name === "max_concurrent_processing" ? (/^\s*\d+\s*$/.test(text) ? Number(text) : null) : readBytes(text);

export function problemsOf(draft: Draft): { readonly [_ in LimitName]?: string } {
	const problems: { [_ in LimitName]?: string } = {};
	for (const name of Object.keys(limitFields) as LimitName[]) {
		const value = numberIn(name, draft[name]);
		if (name !== "max_concurrent_processing") {
			if (value === null) problems[name] = "Write a number of bytes, such as 20 GiB.";
		} else if (value === null || value < 1 || value > 1_000_000)
			problems[name] = "Write a whole number from 1 to 1,000,000.";
	}
	return problems;
}

/** What would change; null for nothing. Fields that say no number are left out. */
export function patchOf({ slug, limits }: Domain, draft: Draft): Patch | null {
	const changed = (Object.keys(limitFields) as LimitName[]).flatMap((name) => {
		const value = numberIn(name, draft[name]);
		return value === null || value === limits[name] ? [] : [[name, value] as const];
	});
	const patch = {
		...(draft.slug !== slug && { slug: draft.slug }),
		...(changed.length > 0 && { limits: Object.fromEntries(changed) }),
	};
	return Object.keys(patch).length === 0 ? null : patch;
}

/** A limit as it is read. */
export const shown = (name: LimitName, value: number): string =>
	name === "max_concurrent_processing" ? formatCount(value) : exactBytes(value);
