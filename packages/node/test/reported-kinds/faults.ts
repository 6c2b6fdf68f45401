import type { RuleHandle } from "@reelmill/fault-proxy";
import { expect } from "vitest";
import { call, type Scene, type Tab } from "./kind.ts";
import type { Clip, World } from "./world.ts";

/** The bytes of one request of the pages. */
export const chunk = 64 * 1024;

/** Holds the nth request that appends from now on, in the middle of its bytes. */
export const hold = ({ proxy }: World, nth: number): RuleHandle =>
	proxy.use({
		when: { method: "PATCH" },
		nth,
		fault: { kind: "hold", direction: "request", afterBytes: chunk / 2 },
	});

/** Headers with which a page can read an answer that is not the service's. */
export const readable = { "access-control-allow-origin": "*", "content-type": "text/html" };

/** Expects that an upload is done, and that the service holds the file's bytes. */
export async function arrived(world: World, state: Record<string, unknown>, { bytes }: Clip): Promise<void> {
	expect(state).toMatchObject({ status: "done", error: null });
	expect((await world.bytesOf(state["videoId"])).equals(bytes)).toBe(true);
}

/** Begins an upload and has it held in its middle. Resolves to the id of its video. */
export async function heldUpload({ world }: Scene, tab: Tab, about: string, nth = 2): Promise<string> {
	const held = hold(world, nth);
	await call(tab, `begin(${JSON.stringify(about)})`);
	await held.hit();
	return String((await call(tab, "look()"))["videoId"]);
}

/** Begins an upload, and leaves it in its middle. Resolves to the id of its video. */
export async function leftUpload(scene: Scene, tab: Tab, about: string): Promise<string> {
	const id = await heldUpload(scene, tab, about);
	await tab.goto("about:blank");
	scene.world.proxy.clear();
	return id;
}
