import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { IdText, idForm } from "../resources/common.ts";

const params = z.strictObject({
	id: IdText.meta({
		...idForm,
		description: "The id of the video or the outro asset.",
		examples: ["5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10"],
	}),
});
const version = {
	"Tus-Resumable": z.literal("1.0.0").meta({ description: "The version of tus: `1.0.0`." }),
};
const offsetHeaders = {
	"Upload-Offset": "Bytes that are stored durably.",
	"Upload-Expires": "When the pending upload expires.",
};
const wrongVersion = {
	status: 412,
	description: "`bad_request`: Tus-Resumable is missing or of another version.",
} as const;
const wrongContentType = {
	status: 415,
	description: "`bad_request`: the content type is not application/offset+octet-stream.",
} as const;

export const createUpload = defineOperation({
	method: "POST",
	path: "/uploads",
	plane: "upload",
	tag: "Uploads",
	summary: "Create the tus upload of a video or outro",
	description:
		"tus 1.0.0 with creation, creation-with-upload, expiration and termination. Creating twice for one pending video answers with the same upload, so a lost answer strands nothing. Upload-Length must equal the declared file_size; a deferred length is refused. A body, if there is one, is the first chunk.",
	auth: "upload",
	headers: z.object({
		...version,
		"Upload-Length": z.string().meta({ description: "Exactly the declared file_size.", examples: ["12345678"] }),
		"Upload-Metadata": z.string().meta({
			description: "tus metadata; the pair `video_id` is required.",
			examples: ["video_id NWYwZjhhN2UtOWQwZS00YzRmLThmMGEtNmExZDNjMmIxZTEw"],
		}),
	}),
	success: { status: 201, says: "The upload is there, new or from before, and takes bytes at `Location`." },
	responseHeaders: { Location: "The upload's URL, `{base_url}/uploads/{id}`.", ...offsetHeaders },
	alternatives: [wrongVersion, wrongContentType],
	errors: [
		"missing_video_id",
		"invalid_content_type",
		"size_mismatch",
		"upload_not_pending",
		"not_found",
		"video_not_found",
		"storage_unavailable",
	],
});

export const getUploadOffset = defineOperation({
	method: "HEAD",
	path: "/uploads/{id}",
	plane: "upload",
	tag: "Uploads",
	summary: "Ask how far an upload got",
	description:
		"An upload that is over answers `upload_not_pending` (409) with the header `Upload-Complete`: `?1` where every byte has arrived and been kept, so that only the final answer was lost, `?0` where it came to another end. The header `Upload-End` names the end: `finished`, `cancelled`, `expired` or `lost`. Nothing else is success: 404 says that the service knows no such upload, or that nothing of it was stored.",
	auth: "upload",
	params,
	headers: z.object(version),
	success: { status: 200, says: "How many bytes are stored; no body." },
	responseHeaders: { ...offsetHeaders, "Upload-Length": "The declared size in bytes.", "Cache-Control": "no-store" },
	alternatives: [wrongVersion],
	errors: ["upload_not_pending", "not_found", "video_not_found", "storage_unavailable"],
});

export const appendUpload = defineOperation({
	method: "PATCH",
	path: "/uploads/{id}",
	plane: "upload",
	tag: "Uploads",
	summary: "Append bytes at an offset",
	description:
		"Bytes acknowledged by the 204 are durable. With the last byte the video's change of state is committed before the answer is sent. If the first 512 bytes show something that can't be taken, such as a picture, the answer is `invalid_content_type` before the rest is read; nothing is kept, and the upload stays pending. 200 chunks a minute per video.",
	auth: "upload",
	params,
	headers: z.object({
		...version,
		"Upload-Offset": z.string().meta({ description: "The offset at which this chunk starts.", examples: ["0"] }),
	}),
	content: "application/offset+octet-stream",
	success: { status: 204, says: "The bytes are stored durably." },
	responseHeaders: offsetHeaders,
	alternatives: [
		{ status: 409, description: "`bad_request`: the offset is not the upload's." },
		wrongVersion,
		wrongContentType,
	],
	errors: [
		"invalid_content_type",
		"size_mismatch",
		"upload_not_pending",
		"not_found",
		"video_not_found",
		"storage_unavailable",
	],
});

export const deleteUpload = defineOperation({
	method: "DELETE",
	path: "/uploads/{id}",
	plane: "upload",
	tag: "Uploads",
	summary: "Give an upload up",
	description: "Cancels the video; its bytes are removed at once.",
	auth: "upload",
	params,
	headers: z.object(version),
	success: { status: 204, says: "The upload is given up, and its video cancelled." },
	alternatives: [wrongVersion],
	errors: ["upload_not_pending", "not_found", "video_not_found", "storage_unavailable"],
});
