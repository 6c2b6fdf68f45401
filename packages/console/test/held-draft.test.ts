import { describe, expect, it } from "vitest";
import { changed, followed, heldDraftOf, isChanged, saved } from "../src/views/storage/held-draft.ts";

const nothing = { endpoint: null, region: null, bucket: null, key_prefix: null, force_path_style: null };
const state = { last_error: null, last_verified_at: null, publications_waiting: 0, version: 1 };
const local = {
	...nothing,
	...state,
	backend: "local" as const,
	location_id: null,
	access_key_id_last4: null,
	public_base_url: null,
};
const bucket = (name: string) => ({ ...local, backend: "s3_tenant" as const, bucket: name });

describe("the form of the storage", () => {
	it("follows the profile in force while nobody has changed it, and has nothing to save then", () => {
		const held = followed(heldDraftOf(bucket("one")), bucket("two"));
		expect([held.draft.bucket, isChanged(held)]).toEqual(["two", false]);
	});

	it("keeps what somebody typed, whatever comes into force", () => {
		const begun = heldDraftOf(bucket("one"));
		const typed = changed(begun, { bucket: "mine" });
		const held = followed(typed, bucket("two"));
		expect([held.draft.bucket, isChanged(held)]).toEqual(["mine", true]);
		expect(followed(held, { ...bucket("two"), last_error: "refused" })).toBe(held);
		const undone = changed(held, { bucket: "one" });
		expect([undone.draft.bucket, isChanged(undone)]).toEqual(["two", false]);
	});

	it("has nothing to save once it was saved, and keeps that until the profile in force says it too", () => {
		const begun = heldDraftOf(local);
		const held = saved({ ...begun, draft: { ...begun.draft, bucket: "mine", secret_access_key: "secret" } });
		expect(isChanged(held)).toBe(false);
		expect(followed(held, local).draft).toMatchObject({ bucket: "mine", secret_access_key: "" });
		expect(followed(held, bucket("mine")).draft.bucket).toBe("mine");
	});
});
