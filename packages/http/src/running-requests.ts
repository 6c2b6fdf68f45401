/** Counts the requests that are being worked on. */
export type RunningRequests = {
	begin(): void;
	end(): void;
	/** Resolves once no request is being worked on: at once if there is none. */
	settled(): Promise<void>;
};

export function createRunningRequests(): RunningRequests {
	let count = 0;
	const waiting: (() => void)[] = [];
	return {
		begin() {
			count++;
		},
		end() {
			count--;
			if (count === 0) for (const resolve of waiting.splice(0)) resolve();
		},
		settled: () => (count === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
	};
}
