import { deepStrictEqual } from "node:assert/strict";
import { openPage, playElement } from "../../examples/plain-html/test/support/play-through.ts";

type Browser = Parameters<typeof openPage>[0];
type BrowserContext = Awaited<ReturnType<Browser["newContext"]>>;

/** How a reader goes on in the browser, each with the time that it took. */
export type Took = (what: string) => void;

/**
 * Goes through the page as its reader does: signs in, uploads a clip, sees it listed after the webhook, plays it. Shows
 * that another person sees nothing of it, and that nobody gets a key for it.
 */
export async function tryPage(browser: Browser, address: string, clip: string, took: Took): Promise<void> {
	const { page, complaints } = await openPage(browser, address);
	await page
		.getByLabel("Your name")
		.fill("ada")
		.catch((error) => complain(error, complaints));
	await page.getByRole("button", { name: "Sign in" }).click();
	const choice = page.locator("reelmill-uploader input[type=file]");
	await choice.waitFor({ state: "attached" });
	took("signed in as ada");
	await choice.setInputFiles(clip);
	const play = page.getByRole("button", { name: /^Play [0-9a-f-]{36}$/ });
	await play.waitFor({ timeout: 180_000 }).catch((error) => complain(error, complaints));
	took("uploaded a clip, and listed by the webhook");
	const id = (await play.textContent())?.slice("Play ".length) ?? "";
	await play.click();
	await playElement(page).catch((error) => complain(error, complaints));
	took("played");
	deepStrictEqual(complaints, []);

	const stranger = await browser.newContext();
	deepStrictEqual(await askFor(id, stranger, address), { list: null, video: 401, key: 401 });
	await stranger.request.post(`${address}/api/sign-in`, { form: { name: "bob" } });
	deepStrictEqual(await askFor(id, stranger, address), { list: [], video: 403, key: 403 });
	await stranger.close();
	took("refused to a stranger, and to bob");
}

/** Throws an error with what the browser complained of. */
function complain(cause: Error, complaints: readonly string[]): never {
	throw new Error([cause.message, ...complaints].join("\n"), { cause });
}

/** What somebody gets of a video. */
async function askFor(id: string, { request }: BrowserContext, address: string) {
	const ask = async (action: string) =>
		(await request.post(`${address}/api/video`, { data: { action, video_id: id } })).status();
	return {
		list: await (await request.get(`${address}/api/videos`)).json(),
		video: await ask("video"),
		key: await ask("playback_key"),
	};
}
