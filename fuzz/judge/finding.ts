import type { Case } from "../generate/case.ts";

/**
 * Something that an answer, or the lack of one, shows to be wrong. Findings of one `rule` and `subject` are told
 * together.
 */
export type Finding = { readonly rule: string; readonly subject: string; readonly detail: string };
/** A finding with what it was found by. */
export type Found = Finding & {
	readonly number: number;
	readonly one: Case;
	readonly step: number;
	readonly sent: string;
	readonly received: string;
};
