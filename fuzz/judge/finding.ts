import type { Case } from "../generate/case.ts";

/**
 * Something wrong that an answer shows, or the lack of one. Findings with the same `rule` and `subject` are reported
 * together.
 */
export type Finding = { readonly rule: string; readonly subject: string; readonly detail: string };
/** A finding, and the case that showed it. */
export type Found = Finding & {
	readonly number: number;
	readonly one: Case;
	readonly step: number;
	readonly sent: string;
	readonly received: string;
};
