import { type CallOptions, type Client, isReelmillError } from "@reelmill/client";
import type { CreatedVideo, Video } from "@reelmill/contracts";
import { callOf } from "./pages.ts";
import { type CreateVideoInput, type TicketStore, ticketKey } from "./tickets.ts";

/** What becomes of an upload that the uploader has pending already. */
export type InitiateOptions = CallOptions & {
	/**
	 * What happens to a pending upload of the uploader that can't be resumed: `fail` leaves it alone and throws the
	 * service's `concurrent_upload_exists`, whose `existing_video_id` names it; `cancel` cancels it and initiates a new
	 * one (default: `fail`). It may be on its way in another tab or on another device.
	 */
	onExisting?: "cancel" | "fail";
	/**
	 * A name of the file's bytes, such as a hash. A ticket is given again for the same file alone (default: for every
	 * file of the same input).
	 */
	file?: string;
};

/** A created video and its ticket. `resumed` says whether they come from an earlier call. */
export type InitiatedVideo = CreatedVideo & { resumed: boolean };

/**
 * How many times one call initiates. Each conflict frees the slot, so only a rival that takes it again causes another.
 */
const tries = 3;

/**
 * Makes `Videos.initiateOrResume`. Calls with the same references run one after another, so that a later call finds the
 * ticket of an earlier one.
 */
export function createInitiateOrResume(client: Client, tickets: TicketStore) {
	const running = new Map<string, Promise<unknown>>();

	return async function initiateOrResume(
		asked: CreateVideoInput,
		options: InitiateOptions = {},
	): Promise<InitiatedVideo> {
		// A store may keep JSON: compare the input in the form that it gives back.
		const input = JSON.parse(JSON.stringify(asked)) as CreateVideoInput;
		const { uploader_ref, external_ref } = input;
		if (uploader_ref === undefined)
			return { ...(await client.call("createVideo", { body: input }, callOf(options))), resumed: false };
		const key = ticketKey(uploader_ref, external_ref, options.file);
		const before = running.get(key) ?? Promise.resolve();
		const turn = before.catch(() => {}).then(() => attempt(key, input, options));
		running.set(key, turn);
		try {
			return await turn;
		} finally {
			if (running.get(key) === turn) running.delete(key);
		}
	};

	async function attempt(
		key: string,
		input: CreateVideoInput,
		{ onExisting = "fail", ...options }: InitiateOptions,
	): Promise<InitiatedVideo> {
		const call = callOf(options);
		for (let made = 1; ; made++) {
			try {
				const created = await client.call("createVideo", { body: input }, call);
				await tickets.set(key, { ...created, input });
				return { ...created, resumed: false };
			} catch (error) {
				if (!isReelmillError(error, "concurrent_upload_exists")) throw error;
				const earlier = await resumable(key, input, call);
				if (earlier) return earlier;
				if (onExisting === "fail" || made === tries) throw error;
				await cancelPending(error.extras.existing_video_id, call);
			}
		}
	}

	/** Returns the stored ticket of the same input if its upload still waits for bytes. */
	async function resumable(
		key: string,
		input: CreateVideoInput,
		call: CallOptions,
	): Promise<InitiatedVideo | undefined> {
		const held = await tickets.get(key);
		if (held === undefined || !isSame(held.input, input)) return undefined;
		const video = await find(held.video.id, call);
		if (video?.state === "pending_upload") return { video, upload: held.upload, resumed: true };
		await tickets.delete(key);
		return undefined;
	}

	/** Cancels an upload that still waits for bytes. An upload that has all of them is no longer in the way. */
	async function cancelPending(id: string, call: CallOptions): Promise<void> {
		if ((await find(id, call))?.state !== "pending_upload") return;
		try {
			await client.call("cancelVideo", { params: { id } }, call);
		} catch (error) {
			if (!isReelmillError(error, "invalid_state") && !isReelmillError(error, "video_not_found")) throw error;
		}
	}

	async function find(id: string, call: CallOptions): Promise<Video | undefined> {
		try {
			return await client.call("getVideo", { params: { id } }, call);
		} catch (error) {
			if (isReelmillError(error, "video_not_found")) return undefined;
			throw error;
		}
	}
}

/** Tells whether two inputs have the same fields. None of them is an object. */
function isSame(one: CreateVideoInput, other: CreateVideoInput): boolean {
	const fields = (input: CreateVideoInput) => JSON.stringify(Object.entries(input).sort());
	return fields(one) === fields(other);
}
