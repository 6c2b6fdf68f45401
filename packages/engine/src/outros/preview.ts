import { ReelmillError } from "@reelmill/contracts";
import { mezzanine } from "../jobs/index.ts";
import { createInTime, isMp4, readRecorded, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { VideoRecord } from "../videos/index.ts";

/** It is held in memory while it is sent. An outro of some seconds has a tenth of it. */
const largest = 64 * 1024 * 1024;

/**
 * Returns the mezzanine of an outro's asset, whole.
 *
 * @throws {ReelmillError} `outro_not_ready` when there is none, or it is too large; `storage_unavailable`.
 */
export async function readPreview(
	{ clock }: Pick<Parts, "clock">,
	{ record, stores }: { record: VideoRecord | null; stores: Stores },
): Promise<Uint8Array<ArrayBuffer>> {
	const { outputs = null, storage_profile_id: profileId = null } = record ?? {};
	const size = outputs?.files[mezzanine];
	if (outputs === null || size === undefined || size > largest) throw new ReelmillError("outro_not_ready");
	const asked = { key: outputs.prefix + mezzanine, size, largest, isOfType: isMp4 };
	const found = await readRecorded((await stores.of(profileId)).outputs, asked, createInTime(clock));
	if (found === null) throw new ReelmillError("storage_unavailable");
	return found;
}
