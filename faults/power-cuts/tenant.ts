import { ask } from "../processes/ask.ts";

/** Makes a tenant and returns its API key. */
export async function makeTenant(url: string, adminKey: string, slug: string): Promise<string> {
	const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
	const answer = await ask({
		url: `${url}/admin/v1/domains`,
		method: "POST",
		headers,
		body: Buffer.from(JSON.stringify({ slug })),
	});
	if (answer.status !== 201) throw new Error(`making a tenant was answered ${answer.status}: ${answer.body}`);
	return (JSON.parse(answer.body.toString()) as { api_key: string }).api_key;
}
