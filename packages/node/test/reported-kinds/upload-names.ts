import { rename, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { arrived, chunk, heldUpload, leftUpload } from "./faults.ts";
import { type BrowserKind, call } from "./kind.ts";

const day = 86_400_000;

/** An upload must be found again, and never be taken for another one. */
export const uploadNames: readonly BrowserKind[] = [
	{
		kind: "the same file for another purpose",
		tried: "an upload that was left stays for its lesson, while the same file is sent for another one",
		reports: ["tus/tus-resumable-upload-protocol#115", "Nexus-Mods/web-issues#963"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const first = await leftUpload(scene, tab, "lesson-1");
			await scene.reload(tab, [clip]);
			const second = await call(tab, 'send("lesson-2")');
			expect(second["videoId"]).not.toBe(first);
			await arrived(scene.world, second, clip);
			await scene.reload(tab, [clip]);
			const continued = await call(tab, 'send("lesson-1")');
			expect(continued).toMatchObject({ videoId: first, startedAnew: false });
			expect(continued["resumedFromBytes"]).toBeGreaterThan(0);
			await arrived(scene.world, continued, clip);
		},
	},
	{
		kind: "another person at the same browser",
		tried: "a person gets an upload of their own, though this browser keeps somebody else's of the same file",
		reports: ["tus/tus-js-client#726"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const first = await leftUpload(scene, tab, "lesson-1");
			await scene.reload(tab, [clip], { person: `${scene.person}-other` });
			const second = await call(tab, 'send("lesson-1")');
			await arrived(scene.world, second, clip);
			expect(second["videoId"]).not.toBe(first);
			const { uploader_ref } = await scene.world.reelmill.videos.get(String(second["videoId"]));
			expect(uploader_ref).toBe(`${scene.person}-other`);
		},
	},
	{
		kind: "the same file twice in a queue",
		tried: "both are sent, each as a video of its own, and the second one is not called done for the first one's sake",
		reports: ["supabase/storage#419", "livepeer/ui-kit#158"],
		async act(scene) {
			const clip = await scene.world.clip(chunk);
			const tab = await scene.tab([clip]);
			await call(
				tab,
				"queue({}, [...document.querySelector('input').files, ...document.querySelector('input').files])",
			);
			const items = (await call(tab, "queueEnd()")) as unknown as Record<string, unknown>[];
			expect(new Set(items.map(({ videoId }) => videoId)).size).toBe(2);
			for (const item of items) await arrived(scene.world, item, clip);
		},
	},
	{
		kind: "a file that is edited while it is sent",
		tried: "the upload does not end as done with bytes of both; the file, chosen anew, is sent as it is now",
		reports: ["tus/tus-js-client#641", "OdyseeTeam/odysee-frontend#1851"],
		async act(scene) {
			const { world } = scene;
			const clip = await world.clip();
			const tab = await scene.tab([clip]);
			await heldUpload(scene, tab, "lesson-1");
			const edited = (await world.clip()).bytes;
			await writeFile(clip.path, edited);
			world.proxy.clear();
			await call(tab, "upload.pause()");
			await call(tab, "again()");
			const after = await call(tab, "end()");
			expect(after).toMatchObject({ status: "failed", error: { name: "NotReadableError" } });
			await scene.reload(tab, [clip]);
			const anew = await call(tab, 'send("lesson-1")');
			await arrived(world, anew, { ...clip, bytes: edited });
		},
	},
	{
		kind: "a file that is edited in place before it is chosen again",
		tried: "other bytes under the same name and size are another upload",
		reports: ["tus/tus.io#93", "tus/tus-js-client#142"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const first = await leftUpload(scene, tab, "lesson-1");
			const bytes = (await scene.world.clip()).bytes;
			await writeFile(clip.path, bytes);
			await scene.reload(tab, [clip]);
			const second = await call(tab, 'send("lesson-1")');
			expect(second["videoId"]).not.toBe(first);
			await arrived(scene.world, second, { ...clip, bytes });
		},
	},
	{
		kind: "a file that is renamed",
		tried: "it is sent whole under its new name",
		reports: ["tus/tus-js-client#235"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			await leftUpload(scene, tab, "lesson-1");
			const path = clip.path.replace("clip.mp4", "holiday.mp4");
			await rename(clip.path, path);
			await scene.reload(tab, [{ ...clip, path }]);
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
		},
	},
	{
		kind: "the same file in two tabs",
		tried: "one tab sends it once, and both see its end",
		reports: ["tus/tus-js-client#130", "OdyseeTeam/odysee-frontend#428"],
		async act(scene) {
			const clip = await scene.world.clip();
			const first = await scene.tab([clip]);
			const id = await heldUpload(scene, first, "lesson-1");
			const second = await scene.tab([clip]);
			await call(second, 'begin("lesson-1")');
			await second.waitForFunction("actions.look().inOtherTab");
			scene.world.proxy.clear();
			await call(first, "upload.pause()");
			await second.waitForFunction('actions.look().status === "paused"');
			await call(second, "upload.resume()");
			for (const tab of [first, second])
				expect(await call(tab, "end()")).toMatchObject({ status: "done", videoId: id });
			await arrived(scene.world, await call(first, "look()"), clip);
		},
	},
	{
		kind: "a closed tab",
		tried: "a later tab goes on at the byte that arrived",
		reports: ["transloadit/uppy#2541", "psi-4ward/psitransfer#57"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const id = await heldUpload(scene, tab, "lesson-1", 3);
			const later = await scene.tab([clip]);
			await tab.close();
			scene.world.proxy.clear();
			const state = await call(later, 'send("lesson-1")');
			expect(state["videoId"]).toBe(id);
			expect(state["resumedFromBytes"]).toBeGreaterThanOrEqual(chunk * 2);
			await arrived(scene.world, state, clip);
		},
	},
	{
		kind: "a reload, in a page of another origin than the service",
		tried: "the upload goes on at the byte that arrived, and leaves nothing in the browser when it is done",
		reports: ["tus/tus-js-client#730", "tus/tus-node-server#42", "tus/tus-js-client#272"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const id = await leftUpload(scene, tab, "lesson-1");
			await scene.reload(tab, [clip]);
			expect(await tab.evaluate("localStorage.length")).toBe(1);
			const state = await call(tab, 'send("lesson-1")');
			expect(state["videoId"]).toBe(id);
			expect(state["resumedFromBytes"]).toBeGreaterThanOrEqual(chunk);
			await arrived(scene.world, state, clip);
			expect(await tab.evaluate("localStorage.length")).toBe(0);
		},
	},
	{
		kind: "the record of an upload that was cancelled or deleted",
		tried: "a new upload begins at once, and says so",
		reports: ["transloadit/uppy#1171", "transloadit/uppy#561"],
		async act(scene) {
			const { videos } = scene.world.reelmill;
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			for (const end of [videos.cancel, videos.delete]) {
				const id = await leftUpload(scene, tab, "lesson-1");
				await end(id);
				await scene.reload(tab, [clip]);
				const state = await call(tab, 'send("lesson-1")');
				await arrived(scene.world, state, clip);
				expect(state["videoId"]).not.toBe(id);
				await scene.reload(tab, [clip]);
			}
		},
	},
	{
		kind: "the record of an upload that expired",
		tried: "a new upload begins at once, after an hour and after a week",
		reports: ["kukhariev/node-uploadx#449", "ankitpokhrel/tus-php#97"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			for (const milliseconds of [2 * 3_600_000, 7 * day]) {
				const id = await leftUpload(scene, tab, "lesson-1");
				scene.world.pass(milliseconds);
				await scene.reload(tab, [clip]);
				const state = await call(tab, 'send("lesson-1")');
				expect(state["videoId"]).not.toBe(id);
				await arrived(scene.world, state, clip);
				await scene.reload(tab, [clip]);
			}
		},
	},
	{
		kind: "the record of an upload that failed",
		tried: "start goes on where it was, and so does a later page",
		reports: ["muxinc/elements#874", "transloadit/uppy#2978"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const lost = scene.world.proxy.use({
				when: { method: "PATCH" },
				fault: { kind: "cut", direction: "request", afterBytes: 0 },
			});
			const failed = await call(tab, 'send("lesson-1", { retries: 1 })');
			expect(failed).toMatchObject({ status: "failed", error: { name: "ConnectionError" } });
			await scene.reload(tab, [clip]);
			expect(await call(tab, 'send("lesson-1", { retries: 1 })')).toMatchObject({
				status: "failed",
				videoId: failed["videoId"],
			});
			lost.remove();
			await call(tab, "again()");
			const state = await call(tab, "end()");
			expect(state["videoId"]).toBe(failed["videoId"]);
			await arrived(scene.world, state, clip);
		},
	},
	{
		kind: "a browser that forbids its storage",
		tried: "the upload is sent; it can only not be continued after a reload",
		reports: ["tus/tus-js-client#36", "tus/tus-js-client#49"],
		async act(scene) {
			const clip = await scene.world.clip(chunk);
			const tab = await scene.tab([clip]);
			await tab.evaluate(
				'Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } }) && null',
			);
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
		},
	},
	{
		kind: "a storage that is full",
		tried: "the upload is sent, and what fills the storage stays",
		reports: ["transloadit/uppy#5644", "tus/tus-js-client#315"],
		async act(scene) {
			const clip = await scene.world.clip(chunk);
			const tab = await scene.tab([clip]);
			const fill = `for (let size = 2 ** 22; size >= 1; size /= 2) try { for (let n = 0; ; n++) localStorage.setItem(size + ":" + n, "x".repeat(size)); } catch {}`;
			const keys = await tab.evaluate(`(() => { ${fill} return localStorage.length; })()`);
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
			expect(await tab.evaluate("localStorage.length")).toBe(keys);
		},
	},
	{
		kind: "a storage that is cleared while a file is sent",
		tried: "after a reload the back end gives the upload again, where it is the one that may be pending",
		reports: ["transloadit/uppy#561"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip], { path: "/strict/" });
			const id = await heldUpload(scene, tab, "lesson-1");
			await tab.evaluate("localStorage.clear()");
			await tab.goto("about:blank");
			scene.world.proxy.clear();
			await scene.reload(tab, [clip], { path: "/strict/" });
			const state = await call(tab, 'send("lesson-1")');
			expect(state["videoId"]).toBe(id);
			await arrived(scene.world, state, clip);
		},
	},
];
