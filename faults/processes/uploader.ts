import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../plan/random.ts";
import type { Clips } from "./content.ts";
import { setup, tell } from "./parent.ts";
import { createAskServer } from "./told-requests.ts";
import { upload } from "./upload.ts";
import type { Assignment } from "./upload-attempt.ts";

export type UploaderSetup = {
	readonly name: string;
	readonly relays: readonly string[];
	readonly patience: number;
	readonly clips: Readonly<Record<keyof Clips, string>>;
	readonly seed: number;
};

/**
 * Does one upload after the other, as the driver assigns them. It plays both a viewer's device and the tenant's back
 * end.
 */
const { name, relays, patience, clips: paths, seed } = setup<UploaderSetup>();
const clips: Clips = { short: readFileSync(paths.short), long: readFileSync(paths.long) };
const random = createRandom(seed);
const askServer = createAskServer({ relays, patience, who: name, way: "clients", tell });

process.on("message", async (assignment: Assignment) => {
	await upload(assignment, {
		clips,
		random,
		askServer,
		serverCount: relays.length,
		tell,
		sleep: (milliseconds) => sleep(milliseconds),
	});
	process.send?.({ done: assignment.number });
});
process.send?.({ ready: true });
