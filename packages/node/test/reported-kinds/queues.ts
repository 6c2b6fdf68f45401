import { expect } from "vitest";
import { arrived, chunk, heldUpload, hold, leftUpload } from "./faults.ts";
import { type BrowserKind, call, type Scene, type Tab } from "./kind.ts";

type Item = Record<string, unknown>;
const ended = (tab: Tab) => call<Item[]>(tab, "queueEnd()");
const clips = ({ world }: Scene, count: number) =>
	Promise.all(Array.from({ length: count }, (_, index) => world.clip(chunk, `clip-${index}.mp4`)));

/** A queue must end, and say what it waits for. */
export const queues: readonly BrowserKind[] = [
	{
		kind: "more files than may be pending at once",
		tried: "a queue sends one file after the other where one pending upload is allowed",
		reports: ["supabase/supabase#40445", "netless-io/flat-server#271"],
		async act(scene) {
			const files = await clips(scene, 3);
			const tab = await scene.tab(files, { path: "/strict/" });
			await call(tab, "queue()");
			for (const [index, item] of (await ended(tab)).entries())
				await arrived(scene.world, item, files[index] as (typeof files)[number]);
		},
	},
	{
		kind: "an hourly limit",
		tried: "of seven files five are sent, and the others wait and say until when",
		reports: ["supabase/supabase#40445", "gronxb/hot-updater#1013"],
		async act(scene) {
			const tab = await scene.tab(await clips(scene, 7));
			await call(tab, "queue()");
			await tab.waitForFunction(
				'actions.queued().filter(({ status, error }) => status === "done" || error?.code === "rate_limited").length === 7',
			);
			const items = await call<Item[]>(tab, "queued()");
			expect(items.filter(({ status }) => status === "done")).toHaveLength(5);
			for (const item of items.filter(({ status }) => status !== "done"))
				expect(item).toMatchObject({ status: "waiting", error: { code: "rate_limited" }, retryAt: expect.any(Number) });
		},
	},
	{
		kind: "two queues in two tabs",
		tried: "both end where one pending upload is allowed in all",
		reports: ["tus/tus-resumable-upload-protocol#115", "OdyseeTeam/odysee-frontend#428"],
		async act(scene) {
			const files = await clips(scene, 4);
			const tabs = [
				await scene.tab(files.slice(0, 2), { path: "/strict/" }),
				await scene.tab(files.slice(2), { path: "/strict/" }),
			];
			for (const tab of tabs) await call(tab, "queue()");
			const items = (await Promise.all(tabs.map(ended))).flat();
			for (const [index, item] of items.entries())
				await arrived(scene.world, item, files[index] as (typeof files)[number]);
		},
	},
	{
		kind: "an upload that a closed page left",
		tried: "it is in the way; the queue waits and says why, and sends its file in that one's place when told",
		reports: ["transloadit/uppy#1993", "sanity-io/sanity-plugin-mux-input#127"],
		async act(scene) {
			const [left, next] = [await scene.world.clip(), await scene.world.clip(chunk)];
			const tab = await scene.tab([left], { path: "/strict/" });
			const id = await leftUpload(scene, tab, "lesson-1");
			await scene.reload(tab, [next], { path: "/strict/" });
			await call(tab, "queue()");
			await tab.waitForFunction("actions.queued()[0].canReplace");
			const [waiting] = await call<Item[]>(tab, "queued()");
			expect(waiting).toMatchObject({ status: "waiting", error: { code: "concurrent_upload_exists" } });
			await call(tab, `uploader.replace("${waiting?.["id"]}")`);
			const [item = {}] = await ended(tab);
			await arrived(scene.world, item, next);
			expect((await scene.world.strict.videos.get(id)).state).toBe("cancelled");
		},
	},
	{
		kind: "files that are added and cancelled again and again",
		tried: "what is cancelled gives its place to the next one, and the same file can be added again",
		reports: ["transloadit/uppy#865"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip], { path: "/strict/" });
			await call(tab, "queue()");
			for (const count of [1, 2]) {
				await tab.waitForFunction(`actions.queued()[${count - 1}].bytesSent > 0`);
				await call(tab, "uploader.cancel()");
				await call(tab, "uploader.add(document.querySelector('input').files)");
			}
			const items = await ended(tab);
			expect(items.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "done"]);
			await arrived(scene.world, items[2] ?? {}, clip);
		},
	},
	{
		kind: "a page that is left while files are sent",
		tried: "the browser asks before it, and no longer asks when the queue is done",
		reports: ["blueimp/jQuery-File-Upload#811", "danialfarid/ng-file-upload#1266"],
		async act(scene) {
			const tab = await scene.tab([await scene.world.clip()]);
			expect(await call(tab, "asks()")).toBe(false);
			const held = hold(scene.world, 1);
			await call(tab, "queue()");
			await held.hit();
			expect(await call(tab, "asks()")).toBe(true);
			held.release();
			await ended(tab);
			expect(await call(tab, "asks()")).toBe(false);
		},
	},
	{
		kind: "a component that leaves the page while it uploads",
		tried: "an uploader of the page's own sends on; the component's own stops, and continues in the next component",
		reports: ["transloadit/uppy#1309", "box/box-ui-elements#459", "transloadit/uppy#3547"],
		async act(scene) {
			const { world } = scene;
			const [first, second] = [await world.clip(), await world.clip()];
			const tab = await scene.tab([first, second]);
			await call(tab, "loadElements()");
			const held = hold(world, 1);
			await call(tab, "queue({}, [document.querySelector('input').files[0]])");
			await call(tab, "showUploader(actions.uploader) && null");
			await held.hit();
			await tab.evaluate('document.querySelector("reelmill-uploader").remove()');
			held.release();
			const [item = {}] = await ended(tab);
			await arrived(world, item, first);

			world.proxy.clear();
			const holding = hold(world, 2);
			const add = "actions.showUploader().add([document.querySelector('input').files[1]]) && null";
			await tab.evaluate(add);
			await holding.hit();
			await tab.evaluate('document.querySelector("reelmill-uploader").remove()');
			world.proxy.clear();
			await tab.evaluate(add);
			await tab.waitForFunction('document.querySelector("reelmill-uploader").videoIds.length === 1');
			const [videoId] = (await tab.evaluate('document.querySelector("reelmill-uploader").videoIds')) as string[];
			await arrived(world, { status: "done", error: null, videoId }, second);
			const sent = await Array.fromAsync(world.reelmill.videos.list({ uploaderRef: scene.person }));
			expect(sent).toHaveLength(2);
		},
	},
	{
		kind: "a component that is shown again before its upload has ended",
		tried: "its close lets go of the upload without ending it, and a start goes on",
		reports: ["transloadit/uppy#4062", "transloadit/uppy#557"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const id = await heldUpload(scene, tab, "lesson-1");
			await call(tab, "upload.close()");
			expect(await call(tab, "look()")).toMatchObject({ status: "idle", videoId: id });
			scene.world.proxy.clear();
			await call(tab, "again()");
			const state = await call(tab, "end()");
			expect(state["videoId"]).toBe(id);
			await arrived(scene.world, state, clip);
		},
	},
];
