import { ReelmillError } from "@reelmill/contracts";
import type { Engine, UploadLease } from "@reelmill/engine";
import type { Lock, Locker, RequestRelease } from "@tus/utils";

type Holder = { readonly release: RequestRelease };
type Waiter = { readonly release: RequestRelease; readonly granted: () => void };
type Take = Engine["uploads"]["lease"];
type Queue = { holder: Holder; readonly waiting: Waiter[] };

/**
 * Creates the locker of @tus/server: one request at a time works on an upload. Among all servers the engine's upload
 * leases see to that. Within this process requests wait in order of arrival, so that only the first asks for a lease. A
 * new request asks the holder at once to let go. So a HEAD behind a half-open connection is answered as soon as the
 * bytes that arrived are durable.
 */
export function createLocker(take: Take): Locker {
	const queues = new Map<string, Queue>();
	return { newLock: (id) => createLock(id, take, createTurn(id, queues)) };
}

/**
 * How long a request waits for the holder. A holder lets go within 100 ms, or its lease ends 3 s after its server was
 * killed. A holder that does neither waits for a silent storage, and the request is told so. With everything else a
 * HEAD takes, that stays below 10 s.
 */
const patienceMilliseconds = 3200;

function createLock(id: string, take: Take, turn: Lock): Lock {
	let lease: UploadLease | undefined;
	return {
		async lock(signal, release) {
			const patience = AbortSignal.timeout(patienceMilliseconds);
			const late = (error: unknown): unknown =>
				error === patience.reason ? new ReelmillError("storage_unavailable", { cause: error }) : error;
			try {
				await turn.lock(AbortSignal.any([signal, patience]), release);
			} catch (error) {
				throw late(error);
			}
			try {
				// The request's own signal would abort as soon as the next request asks for the turn. But the request that
				// has the turn must be answered.
				lease = await take(id, { signal: patience, onAsked: () => void release() });
			} catch (error) {
				await turn.unlock();
				throw late(error);
			}
		},
		async unlock() {
			try {
				await lease?.release();
			} finally {
				await turn.unlock();
			}
		},
	};
}

/** Creates a request's place in the queue of this process. */
function createTurn(id: string, queues: Map<string, Queue>): Lock {
	return {
		async lock(signal: AbortSignal, release: RequestRelease): Promise<void> {
			const queue = queues.get(id);
			if (queue === undefined) {
				queues.set(id, { holder: { release }, waiting: [] });
				return;
			}
			await new Promise<void>((resolve, reject) => {
				const waiter: Waiter = {
					release,
					granted() {
						signal.removeEventListener("abort", leave);
						resolve();
					},
				};
				const leave = () => {
					const place = queue.waiting.indexOf(waiter);
					if (place >= 0) queue.waiting.splice(place, 1);
					reject(signal.reason);
				};
				if (signal.aborted) return reject(signal.reason);
				signal.addEventListener("abort", leave, { once: true });
				queue.waiting.push(waiter);
				void queue.holder.release();
			});
		},
		async unlock(): Promise<void> {
			const queue = queues.get(id);
			const next = queue?.waiting.shift();
			if (queue === undefined) return;
			if (next === undefined) {
				queues.delete(id);
				return;
			}
			queue.holder = next;
			next.granted();
			if (queue.waiting.length > 0) void next.release();
		},
	};
}
