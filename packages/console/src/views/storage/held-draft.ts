import type { StorageView } from "@reelmill/contracts";
import { type Draft, draftOf } from "./fields.ts";

/** What the form holds, and what it compares with. */
export type HeldDraft = {
	readonly draft: Draft;
	/** What the draft was before somebody changed it. */
	readonly begun: Draft;
	/** The profile in force that was last seen, as a draft. */
	readonly inForce: Draft;
};

export function heldDraftOf(current: StorageView): HeldDraft {
	const draft = draftOf(current);
	return { draft, begun: draft, inForce: draft };
}

/** Changes a part of the draft. One that is back to what it was before follows the profile in force again. */
export function changed(held: HeldDraft, part: Partial<Draft>): HeldDraft {
	const draft = { ...held.draft, ...part };
	const { begun, inForce } = held;
	return isSame(draft, begun) ? { draft: inForce, begun: inForce, inForce } : { ...held, draft };
}

/** Whether the draft has changes that are not saved. */
export const isChanged = ({ draft, begun }: HeldDraft): boolean => !isSame(draft, begun);

/** Follows the profile in force, which another person or tab may have changed, unless the draft has changes. */
export function followed(held: HeldDraft, current: StorageView): HeldDraft {
	const inForce = draftOf(current);
	if (isSame(inForce, held.inForce)) return held;
	return isChanged(held) ? { ...held, inForce } : heldDraftOf(current);
}

/** Takes the draft as saved, and forgets its key: it isn't kept in the page a moment longer than it is needed. */
export function saved(held: HeldDraft): HeldDraft {
	const draft = { ...held.draft, access_key_id: "", secret_access_key: "" };
	return { ...held, draft, begun: draft };
}

const isSame = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);
