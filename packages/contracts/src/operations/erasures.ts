import { defineOperation } from "../operation.ts";
import { CreateErasure, Erasure } from "../resources/erasure.ts";

export const createErasure = defineOperation({
	method: "POST",
	path: "/v1/erasures",
	plane: "tenant",
	tag: "Videos",
	summary: "Erase a person who uploaded",
	description:
		"Deletes the videos of this `uploader_ref`, those in flight too (event `video.cancelled`), and forgets `uploader_ref` and `external_ref` of all of them at once. Throttle and hourly limit still count them. Events that were sent stay in the log of webhooks until its end; the audit log has no name.",
	auth: "tenant",
	sandbox: "refused",
	audit: "uploader.erased",
	body: CreateErasure,
	success: { status: 202, body: Erasure },
	errors: [],
});
