import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { CreatedOutro, CreateOutro, Outro, OutroList } from "../resources/outro.ts";
import { creationHeaders } from "./creation-headers.ts";

const params = z.strictObject({ slug: z.string().meta({ description: "The outro's slug.", examples: ["spring"] }) });

export const createOutro = defineOperation({
	method: "POST",
	path: "/v1/outros",
	plane: "tenant",
	tag: "Outros",
	summary: "Initiate the upload of an outro",
	description:
		"The same tus endpoint and single-asset token as for a video; the asset's id stands in `metadata.video_id`. A slug in use is replaced: the old asset serves new uploads until the new one is available, and videos that pinned the old one keep it.",
	auth: "tenant",
	sandbox: "refused",
	audit: "outro.created",
	headers: creationHeaders("b3a1d5e7-2c4f-4d6a-9b8c-0e1f2a3b4c5d"),
	body: CreateOutro,
	success: { status: 201, body: CreatedOutro },
	errors: [
		"invalid_content_type",
		"file_too_large",
		"duration_too_long",
		"outro_limit_reached",
		"upload_quota_exceeded",
		"storage_quota_exceeded",
		"storage_unavailable",
	],
});

export const listOutros = defineOperation({
	method: "GET",
	path: "/v1/outros",
	plane: "tenant",
	tag: "Outros",
	summary: "List all outros",
	description: "One entry per slug, all on one page: `next_cursor` is always null.",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: OutroList },
	errors: [],
});

export const getOutro = defineOperation({
	method: "GET",
	path: "/v1/outros/{slug}",
	plane: "tenant",
	tag: "Outros",
	summary: "Read an outro",
	auth: "tenant",
	sandbox: "refused",
	params,
	success: { status: 200, body: Outro },
	errors: ["outro_not_found"],
});

export const getOutroPreview = defineOperation({
	method: "GET",
	path: "/v1/outros/{slug}/preview",
	plane: "tenant",
	tag: "Outros",
	summary: "Fetch an outro as it is appended",
	description:
		"The asset that new videos get, as MP4, for the domain's own tooling. `outro_not_ready` while none is usable, and for one of more than 64 MiB.",
	auth: "tenant",
	sandbox: "refused",
	params,
	success: { status: 200, content: "video/mp4", says: "The outro as an MP4." },
	errors: ["outro_not_found", "outro_not_ready", "storage_backend_unsupported", "storage_unavailable"],
});

export const deleteOutro = defineOperation({
	method: "DELETE",
	path: "/v1/outros/{slug}",
	plane: "tenant",
	tag: "Outros",
	summary: "Delete an outro and free its slug",
	description:
		"Videos that pinned it do not fail: they ship without a tail card if the bytes are gone. A domain whose default outro it was has none afterwards.",
	auth: "tenant",
	sandbox: "refused",
	audit: "outro.deleted",
	params,
	success: { status: 204, says: "The outro is deleted, and its slug is free." },
	errors: ["outro_not_found"],
});
