import { isReelmillError, ReelmillError } from "@reelmill/contracts";
import { ERRORS } from "@tus/utils";
import { mediaTypeOf } from "../headers/media-type.ts";

const refusal = (status: number, message: string) => new ReelmillError("bad_request", { status, message });

/** Checks the headers of a tus request. Throws `bad_request` with the protocol's status when one is wrong. */
export function checkProtocol(method: string, header: (name: string) => string | undefined): void {
	if (header("tus-resumable") !== "1.0.0") throw refusal(412, "Tus-Resumable must be 1.0.0.");
	if (method === "POST" && header("upload-concat") !== undefined)
		throw refusal(400, "Uploads aren't put together from parts here.");
	const type = mediaTypeOf(header("content-type"));
	if (method === "PATCH" && type !== "application/offset+octet-stream")
		throw refusal(415, "The content type must be application/offset+octet-stream.");
	if (method === "PATCH" && !/^(0|[1-9]\d*)$/.test(header("upload-offset") ?? ""))
		throw refusal(400, "Upload-Offset must be a number of bytes.");
}

/** Returns the contract's error for one that @tus/server threw or passed on. */
export function refusalOf(error: unknown): unknown {
	if (isReelmillError(error) || typeof error !== "object" || error === null || !("status_code" in error)) return error;
	const { status_code: status, body } = error as { status_code: number; body?: string };
	if (status === 413)
		return new ReelmillError("size_mismatch", { message: "More bytes were sent than file_size declared." });
	if (error === ERRORS.ABORTED) return refusal(409, "Another request took the upload over; ask for its offset.");
	if (status === 404) return new ReelmillError("not_found");
	return status < 500 ? refusal(status, (body ?? "The request is malformed.").trim()) : error;
}
