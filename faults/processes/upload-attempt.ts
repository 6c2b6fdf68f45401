import type { Told } from "../history/entries.ts";
import type { Random } from "../plan/random.ts";
import type { Answer } from "./ask.ts";
import type { Clips } from "./content.ts";
import type { AskServer } from "./told-requests.ts";

/** How the upload ends unless something prevents it. */
export type Intent = "finish" | "abandon" | "cancel" | "cancel-whole" | "terminate" | "delete-whole";

/** An upload that the driver wants. */
export type Assignment = {
	readonly number: number;
	readonly domain: string;
	readonly apiKey: string;
	readonly seed: number;
	readonly size: number;
	readonly intent: Intent;
	/** What a killed uploader had reported about this upload. */
	readonly known: Ticket | null;
};

export type Ticket = { readonly video: string; readonly token: string };

/** What all uploads of a process share. */
export type UploadContext = {
	readonly clips: Clips;
	readonly random: Random;
	readonly askServer: AskServer;
	readonly serverCount: number;
	readonly tell: (told: Told) => void;
	readonly sleep: (milliseconds: number) => Promise<unknown>;
};

/** One upload under way. Each of its steps gets the whole of it. */
export type UploadAttempt = UploadContext & {
	readonly assignment: Assignment;
	readonly bytes: Buffer;
	readonly sha256: string;
	/** Returns the number of a random server. */
	readonly anyServer: () => number;
};

/** Asks until there is a usable answer. After a broken connection, or trouble of a server, it asks another server. */
export async function insist(
	{ askServer, anyServer, random, sleep }: UploadAttempt,
	what: string,
	question: Parameters<AskServer>[2],
): Promise<Answer> {
	for (let failures = 0; ; failures++) {
		const answer = await askServer(what, anyServer(), question).catch(() => null);
		if (answer !== null && answer.status < 500 && answer.status !== 429) return answer;
		await sleep(Math.min(1000, 50 * 2 ** failures) * random.fraction());
	}
}
