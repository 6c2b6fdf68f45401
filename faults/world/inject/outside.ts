import { setTimeout as sleep } from "node:timers/promises";
import type { Fault as ProxyFault } from "@reelmill/fault-proxy";
import type { Disturbance } from "../../history/entries.ts";
import { type Ground, type Injectors, killed } from "./injectors.ts";

const storageFaults: Record<"refuse" | "refuse-after" | "lose-answer" | "silence" | "cut" | "slow", ProxyFault> = {
	refuse: { kind: "refuse", status: 503 },
	"refuse-after": { kind: "refuse-after", status: 500 },
	"lose-answer": { kind: "lose-answer" },
	silence: { kind: "silence" },
	cut: { kind: "cut", direction: "request", afterBytes: 0 },
	slow: { kind: "slow", direction: "request", bytesPerSecond: 20_000 },
};

/** How long to wait for a request to the bucket. */
const requestMilliseconds = 6000;

/** Faults outside the service: buckets, names, receivers, and workers that lie. */
export function outsideInjectors(
	ground: Ground,
): Injectors<"kill-gateway" | "fail-storage" | "drip-answers" | "fail-names" | "silence-names" | "lie"> {
	const { disturbances, storage, receiver, nameServer, lyingWorker } = ground.world;
	const during = async (disturbance: Disturbance, act: () => Promise<unknown>): Promise<void> => {
		const end = disturbances.begin(disturbance);
		await act();
		end();
	};
	let areNamesBroken = false;
	const breakNames = async (how: "fail" | "be silent", milliseconds: number): Promise<boolean> => {
		if (areNamesBroken) return false;
		areNamesBroken = true;
		nameServer.behave(how);
		await during({ what: "names" }, () => sleep(milliseconds));
		nameServer.behave("answer");
		areNamesBroken = false;
		return true;
	};
	let isDripping = false;
	return {
		async "kill-gateway"({ milliseconds }) {
			await during({ what: "storage" }, () => storage.crash(milliseconds));
			return killed(ground, "gateway", "gateway", true);
		},
		async "fail-storage"({ how, milliseconds }) {
			const rule = storage.proxy.use({ fault: storageFaults[how] });
			await during({ what: "storage" }, async () => {
				await sleep(milliseconds);
				await Promise.race([rule.hit(), sleep(requestMilliseconds)]);
				rule.remove();
			});
			return rule.hits > 0;
		},
		async "drip-answers"({ milliseconds }) {
			if (isDripping) return false;
			isDripping = true;
			receiver.drip(true);
			await during({ what: "receivers" }, () => sleep(milliseconds));
			receiver.drip(false);
			isDripping = false;
			return true;
		},
		"fail-names": ({ milliseconds }) => breakNames("fail", milliseconds),
		"silence-names": ({ milliseconds }) => breakNames("be silent", milliseconds),
		lie: ({ how }) => lyingWorker(how),
	};
}
