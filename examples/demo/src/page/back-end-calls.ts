import type { Video } from "@reelmill/node";

/**
 * Calls this page's own back end.
 *
 * @throws {Error} with the back end's message, when it refuses.
 */
async function call(path: string, init: RequestInit): Promise<unknown> {
	const response = await fetch(path, init);
	const body = (await response.json()) as { message?: string };
	if (!response.ok) throw new Error(body.message ?? `the back end answered ${response.status}`);
	return body;
}

export const get = (id: string): Promise<Video> => call(`/api/videos/${id}`, {}) as Promise<Video>;

export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> =>
	call(path, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	}) as Promise<Answer>;
