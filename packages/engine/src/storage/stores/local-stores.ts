import { ReelmillError } from "@reelmill/contracts";
import { type ByteStores, type Clock, StorageError, unavailableIn } from "../../ports/index.ts";
import type { InTime } from "./in-time.ts";
import { whileMoving } from "./while-moving.ts";

/**
 * Guards the installation's own stores against a disk that is full, fails or hangs, and against a lack of file
 * descriptors: each of these is `storage_unavailable` to whoever asked, who tells the operator. An operation whose time
 * doesn't grow with the number of bytes is done `inTime`; storing bytes may take as long as they move.
 */
export function createLocalStores(
	{ uploads, outputs }: ByteStores,
	{ clock, inTime }: { clock: Clock; inTime: InTime },
): ByteStores {
	const refused = (error: unknown): never => {
		if (unavailableIn(error) === null) throw error;
		throw new ReelmillError("storage_unavailable", { cause: error });
	};
	const answer = <T>(work: Promise<T>): Promise<T> => inTime(work).catch(refused);
	const list = <T>(items: AsyncIterable<T>): AsyncIterable<T> => ({
		[Symbol.asyncIterator]() {
			const iterator = items[Symbol.asyncIterator]();
			return {
				next: () => answer(iterator.next()),
				return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
			};
		},
	});
	const { open, survey, removeLeftovers } = outputs;
	const surveyUploads = uploads.survey;
	/** Uploads whose append was given up but still runs: it could write where the next append does. */
	const left = new Set<string>();
	const leave = (id: string) => (work: Promise<unknown>) => {
		left.add(id);
		const forget = () => void left.delete(id);
		work.then(forget, forget);
	};

	return {
		outputs: {
			capabilities: outputs.capabilities,
			put: (key, bytes, options) =>
				whileMoving(bytes, clock, (moving, signal) =>
					outputs.put(key, moving, { ...options, signal: anyOf(options?.signal, signal) }),
				).catch(refused),
			get: (key, range) => answer(outputs.get(key, range)),
			...(open && { open: (key: string) => answer(open.call(outputs, key)) }),
			head: (key) => answer(outputs.head(key)),
			delete: (key) => answer(outputs.delete(key)),
			list: (prefix) => list(outputs.list(prefix)),
			...(survey && { survey: (options) => list(survey.call(outputs, options)) }),
			presign: (key, request) => outputs.presign(key, request),
			deletePrefix: (prefix) => answer(outputs.deletePrefix(prefix)),
			...(removeLeftovers && { removeLeftovers: () => answer(removeLeftovers.call(outputs)) }),
		},
		uploads: {
			capabilities: uploads.capabilities,
			create: (id) => answer(uploads.create(id)),
			size: (id) => answer(uploads.size(id)),
			async append(id, offset, bytes, options) {
				if (left.has(id)) return refused(new StorageError("unreachable", "The disk has not answered yet"));
				const append = (moving: typeof bytes, signal: AbortSignal) =>
					uploads.append(id, offset, moving, { ...options, signal: anyOf(options.signal, signal) });
				return whileMoving(bytes, clock, append, leave(id)).catch(refused);
			},
			read: (id, range) => answer(uploads.read(id, range)),
			presign: (id, request) => uploads.presign(id, request),
			discard: (id) => answer(uploads.discard(id)),
			list: () => list(uploads.list()),
			...(surveyUploads && { survey: (options) => list(surveyUploads.call(uploads, options)) }),
		},
	};
}

const anyOf = (given: AbortSignal | undefined, signal: AbortSignal): AbortSignal =>
	given === undefined ? signal : AbortSignal.any([given, signal]);
