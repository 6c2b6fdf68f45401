import { type DomainConfig, isUuidV4, ReelmillError, type VideoState, type Visibility } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { Playback, PlaybackTarget } from "../playback/index.ts";
import { type ByteRange, type Clock, contentTypeOf, type Database } from "../ports/index.ts";
import type { Stores } from "../storage/index.ts";
import type { StoredOutputs } from "../videos/index.ts";
import { createHotObjects, type DeliveredBytes } from "./hot-objects.ts";

/** A file that may be sent. `size` in bytes; `etag` is a strong validator in its quotes (RFC 9110, section 8.8.3); an empty `corsOrigins` means any. */
export type DeliveryFile = {
	readonly size: number;
	readonly etag: string;
	readonly contentType: string;
	readonly visibility: Visibility;
	readonly corsOrigins: readonly string[];
	read(range?: ByteRange): Promise<DeliveredBytes>;
};

export type Delivery = {
	/**
	 * The file at `path` of a video, if this Authorization header opens it.
	 * Throws `invalid_path`; `playback_key_required` for a private or unknown video without a key, `playback_key_invalid` with a key that doesn't open it
	 * (an unknown video answers exactly as a private one does); `not_found` for a file that isn't there. Changes of other servers are seen within 2 s.
	 */
	open(request: { videoId: string; path: string; authorization: string | null }): Promise<DeliveryFile>;
	/** Forgets what is remembered of a video that was just changed here. */
	forget(videoId: string): void;
	/** Forgets all videos: something was changed here that many of them hang on. */
	forgetAll(): void;
};

type Descriptor = {
	readonly id: string;
	readonly domain_id: string;
	readonly session_id: string | null;
	readonly state: VideoState;
	readonly visibility: Visibility;
	readonly outputs: StoredOutputs | null;
	readonly storage_profile_id: string | null;
	readonly config: Partial<DomainConfig>;
	readonly playback_epoch: number;
	readonly playback_revoked_order: number;
};

const stalenessMilliseconds = 2000;
/** Kept for the tenant's own tooling, never delivered. */
const hidden = /^frames\//;

export function createDelivery({
	database,
	clock,
	stores,
	playback,
	cacheBytes,
}: {
	database: Database;
	clock: Clock;
	stores: Stores;
	playback: Playback;
	/** Of outputs that are asked for again and again, so many are kept in memory. */
	cacheBytes: number;
}): Delivery {
	const hotObjects = createHotObjects({ maxBytes: cacheBytes });
	const cache = createBriefCache<Descriptor | null>({ clock, max: 10_000, milliseconds: stalenessMilliseconds });

	const describe = (videoId: string): Promise<Descriptor | null> =>
		cache.get(videoId, async () => {
			const [row] = await database.query<Descriptor>(sql`
				select v.id, v.domain_id, v.session_id, v.state, v.visibility, v.outputs, v.storage_profile_id, d.config, d.playback_epoch, d.playback_revoked_order
				from reelmill.videos v join reelmill.domains d on d.id = v.domain_id where v.id = ${videoId} and v.kind = 'video' and v.deleted_at is null and d.deleted_at is null`);
			return row ?? null;
		});

	return {
		forget: cache.forget,
		forgetAll: cache.forgetAll,
		async open({ videoId, path, authorization }) {
			checkPath(videoId, path);
			const found = await describe(videoId);
			if (found?.visibility !== "public") {
				if (authorization === null) throw new ReelmillError("playback_key_required");
				if (found === null || !(await playback.opens(authorization, targetOf(found)))) throw new ReelmillError("playback_key_invalid");
			}
			const contentType = contentTypeOf(path);
			const size =
				found?.state === "available" && !hidden.test(path) && Object.hasOwn(found.outputs?.files ?? {}, path) ? found.outputs?.files[path] : undefined;
			if (!found?.outputs || size === undefined || contentType === null) throw new ReelmillError("not_found", { message: "The video has no such file." });
			const { prefix } = found.outputs;
			return {
				size,
				contentType,
				visibility: found.visibility,
				corsOrigins: found.config.cors_origins ?? [],
				etag: etagOf(prefix, path),
				async read(range) {
					const part = range ?? { start: 0, end: size - 1 };
					return hotObjects.get(`${prefix}${path} ${part.start}-${part.end}`, part.end - part.start + 1, async () => {
						const object = await (await stores.of(found.storage_profile_id)).outputs.get(prefix + path, range);
						if (object === null) throw new ReelmillError("not_found", { message: "The video has no such file." });
						return object.bytes;
					});
				},
			};
		},
	};
}

const targetOf = (found: Descriptor): PlaybackTarget => ({
	id: found.id,
	domainId: found.domain_id,
	sessionId: found.session_id,
	epoch: found.playback_epoch,
	revokedOrder: found.playback_revoked_order,
});

/** Outputs are written once per attempt, so the attempt and the path name the bytes. */
const etagOf = (prefix: string, path: string): string => `"${prefix.split("/")[2]}-${Buffer.from(path).toString("base64url")}"`;

function checkPath(videoId: string, path: string): void {
	const wellFormed = isUuidV4(videoId) && path.length <= 512 && path.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(part));
	if (!wellFormed) throw new ReelmillError("invalid_path");
}
