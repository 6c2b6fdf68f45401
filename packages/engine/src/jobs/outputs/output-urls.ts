import { type OutputFile, type OutputUrls, ReelmillError } from "@reelmill/contracts";
import { type Clock, contentTypeOf } from "../../ports/index.ts";
import { type OwnedStores, putUrlSeconds } from "../../storage/index.ts";
import { createPathCheck } from "./outputs.ts";

/**
 * Returns a URL for each file, by which a worker may put it under `prefix`. `data` is null if the storage can't
 * presign.
 *
 * @throws {ReelmillError} `invalid_zip_entry` as for an archive with these paths; `zip_too_large` when the files have
 * more than `mostBytes` together.
 */
export async function presignOutputs(
	{ outputs, owner }: OwnedStores,
	{
		prefix,
		files,
		mostBytes,
		clock,
	}: { prefix: string; files: readonly OutputFile[]; mostBytes: number; clock: Clock },
): Promise<OutputUrls> {
	const check = createPathCheck();
	for (const { path } of files) check(path);
	if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes) throw new ReelmillError("zip_too_large");
	if (!outputs.capabilities.presign) return { data: null, storage_owner: owner };
	const expires_at = new Date(clock.now() + putUrlSeconds * 1000).toISOString();
	const data: NonNullable<OutputUrls["data"]> = [];
	for (const { path, size } of files) {
		const url = await outputs.presign(prefix + path, { method: "PUT", seconds: putUrlSeconds, size });
		data.push({ path, url, headers: headersOf(path), expires_at });
	}
	return { data, storage_owner: owner };
}

/**
 * Headers that a CDN in front of the bucket serves as the delivery plane does. `if-none-match` keeps a late put from
 * replacing a file, also after the job is complete.
 */
const headersOf = (path: string): Record<string, string> => ({
	"content-type": contentTypeOf(path) ?? "application/octet-stream",
	"cache-control": "public, max-age=86400",
	"if-none-match": "*",
});
