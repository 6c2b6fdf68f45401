import { type Answer, ask, codeOf } from "../../processes/ask.ts";

type Step = {
	readonly differences: readonly { readonly kind: string; readonly place: string; readonly reference: string }[];
	readonly cursor: string | null;
};

/**
 * Returns the differences between rows and storage that the check finds, each as its kind and its resource. It repairs
 * nothing.
 */
export async function readDifferences(url: string, adminKey: string): Promise<readonly string[]> {
	const found: string[] = [];
	let cursor: string | null = null;
	do {
		const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
		const body = Buffer.from(JSON.stringify(cursor === null ? {} : { cursor }));
		const answer: Answer = await ask({ url: `${url}/admin/v1/check`, method: "POST", headers, body });
		if (answer.status !== 200) throw new Error(`The check answered ${answer.status} ${codeOf(answer)}: ${answer.body}`);
		const step: Step = JSON.parse(answer.body.toString());
		found.push(...step.differences.map(({ kind, place, reference }) => `${kind} ${place} ${reference}`));
		cursor = step.cursor;
	} while (cursor !== null);
	return found;
}
