import type { Lock, Locker, RequestRelease } from "@tus/utils";

type Holder = { readonly release: RequestRelease };
type Waiter = { readonly release: RequestRelease; readonly granted: () => void };
type Queue = { holder: Holder; readonly waiting: Waiter[] };

/**
 * One holder per upload within this process, in order of arrival. Whoever comes asks the holder at once to let go,
 * so that a HEAD behind a connection that hangs half open is answered as soon as the bytes that came are durable.
 */
export function createLocker(): Locker {
	const queues = new Map<string, Queue>();
	return { newLock: (id) => createLock(id, queues) };
}

function createLock(id: string, queues: Map<string, Queue>): Lock {
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
