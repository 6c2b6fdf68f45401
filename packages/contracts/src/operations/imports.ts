import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { pageQuery } from "../resources/common.ts";
import { CreateImport, Import, ImportPage, ImportStatus } from "../resources/import.ts";
import { creationHeaders } from "./creation-headers.ts";
import { idParams } from "./id-params.ts";

export const createImport = defineOperation({
	method: "POST",
	path: "/v1/imports",
	plane: "tenant",
	tag: "Imports",
	summary: "Import a video from an address",
	description:
		"Fetches the file in the background and uploads it as a video of this domain: counted, limited and told of as any upload. What the origin says of size and type stands. A quota that frees again, the hourly limit and a pending slot are waited for; every other refusal fails the import, and no video is made. A domain may have 1000 imports under way.",
	auth: "tenant",
	sandbox: "refused",
	audit: "import.created",
	headers: creationHeaders("e2c4a6b8-1d3f-4b5d-8a7c-6f5e4d3c2b1a"),
	body: CreateImport,
	success: { status: 202, body: Import },
	errors: [
		"invalid_content_type",
		"file_too_large",
		"duration_too_long",
		"import_limit_reached",
		"imports_unavailable",
	],
});

export const listImports = defineOperation({
	method: "GET",
	path: "/v1/imports",
	plane: "tenant",
	tag: "Imports",
	summary: "List imports, newest first",
	description: "An import stays listed for 30 days after its end.",
	auth: "tenant",
	sandbox: "refused",
	query: z.strictObject({
		status: ImportStatus.optional().meta({ description: "Only imports of this status." }),
		...pageQuery,
	}),
	success: { status: 200, body: ImportPage },
	errors: ["invalid_cursor"],
});

export const getImport = defineOperation({
	method: "GET",
	path: "/v1/imports/{id}",
	plane: "tenant",
	tag: "Imports",
	summary: "Read how far an import is",
	description: "After `done`, the video tells how it goes on: read it by `video_id`, or use webhooks.",
	auth: "tenant",
	sandbox: "refused",
	params: idParams("import"),
	success: { status: 200, body: Import },
	errors: ["import_not_found"],
});

export const cancelImport = defineOperation({
	method: "DELETE",
	path: "/v1/imports/{id}",
	plane: "tenant",
	tag: "Imports",
	summary: "Cancel an import",
	description:
		"Ends the download, and cancels the video whose upload it was (event `video.cancelled`). An import that has ended stays as it is, and so does its video.",
	auth: "tenant",
	sandbox: "refused",
	audit: "import.cancelled",
	params: idParams("import"),
	success: { status: 204, says: "The import has ended." },
	errors: ["import_not_found"],
});
