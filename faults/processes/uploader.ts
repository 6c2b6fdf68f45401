import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../plan/random.ts";
import { setup, tell } from "./parent.ts";
import { createAskServer } from "./told-requests.ts";
import { upload } from "./upload.ts";
import type { Assignment } from "./upload-attempt.ts";

export type UploaderSetup = {
	readonly name: string;
	readonly relays: readonly string[];
	readonly patience: number;
	readonly clip: string;
	readonly seed: number;
};

/**
 * Does one upload after the other, as the driver assigns them. It plays both a viewer's device and the tenant's back
 * end.
 */
const { name, relays, patience, clip, seed } = setup<UploaderSetup>();
const clipBytes = readFileSync(clip);
const random = createRandom(seed);
const askServer = createAskServer({ relays, patience, who: name, way: "clients", tell });

process.on("message", async (assignment: Assignment) => {
	await upload(assignment, {
		clip: clipBytes,
		random,
		askServer,
		serverCount: relays.length,
		tell,
		sleep: (milliseconds) => sleep(milliseconds),
	});
	process.send?.({ done: assignment.number });
});
process.send?.({ ready: true });
