import { expect } from "vitest";
import { arrived, chunk, heldUpload, hold, leftUpload, readable } from "./faults.ts";
import { type BrowserKind, call } from "./kind.ts";

const appends = { method: "PATCH" };

/** What stands between a page and the service must not end an upload, nor count as an end of it. */
export const blockedWays: readonly BrowserKind[] = [
	{
		kind: "a firewall that refuses PATCH",
		tried: "after 403, 405 and 501, which the page can read or not, the bytes go by POST",
		reports: ["tusdotnet/tusdotnet#233", "ankitpokhrel/tus-php#260", "tus/tus-js-client#28"],
		async act(scene) {
			const tab = await scene.tab();
			for (const [status, headers] of [
				[403, readable],
				[405, {}],
				[501, readable],
			] as const) {
				const clip = await scene.world.clip(chunk + 17);
				await scene.reload(tab, [clip]);
				scene.world.proxy.clear();
				scene.world.proxy.use({ when: appends, fault: { kind: "refuse", status, headers } });
				await arrived(scene.world, await call(tab, `send("${status}")`), clip);
			}
		},
	},
	{
		kind: "a proxy that refuses large bodies with 413",
		tried: "the requests become smaller until they pass",
		reports: ["supabase/supabase#21704", "tus/tusd#452"],
		async act(scene) {
			const clip = await scene.world.clip(2 ** 20);
			const tab = await scene.tab([clip]);
			const refused = scene.world.proxy.use({
				when: appends,
				times: 2,
				fault: { kind: "refuse", status: 413, headers: readable },
			});
			await arrived(scene.world, await call(tab, 'send("lesson-1", { chunkSize: 2 ** 20 })'), clip);
			expect(refused.hits).toBe(2);
		},
	},
	{
		kind: "a sign-in page that answers with 200",
		tried: "its answers are no success: the upload goes on when the network is open",
		reports: ["tus/tus-js-client#81", "tus/tusd#452"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const pages = scene.world.proxy.use({
				when: { path: /^\/uploads/ },
				times: 3,
				fault: { kind: "refuse", status: 200, headers: readable },
			});
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
			expect(pages.hits).toBe(3);
			expect(await call(tab, "statuses")).toContain("retrying");
		},
	},
	{
		kind: "a gateway's 502 and 504 as HTML",
		tried: "the upload tries again, whether the page can read the answers or not",
		reports: ["tus/tus-js-client#124"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			for (const [status, headers] of [
				[502, readable],
				[504, {}],
			] as const)
				scene.world.proxy.use({ when: appends, times: 1, fault: { kind: "refuse", status, headers } });
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
			expect(await call(tab, "statuses")).toContain("retrying");
		},
	},
	{
		kind: "a 5xx to the question for the offset",
		tried: "a reloaded page asks again, and does not begin at 0",
		reports: ["tus/tus-js-client#908"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const id = await leftUpload(scene, tab, "lesson-1");
			const failing = scene.world.proxy.use({
				when: { method: "HEAD" },
				times: 2,
				fault: { kind: "refuse", status: 503 },
			});
			await scene.reload(tab, [clip]);
			const state = await call(tab, 'send("lesson-1")');
			expect(failing.hits).toBe(2);
			expect(state["videoId"]).toBe(id);
			expect(state["resumedFromBytes"]).toBeGreaterThanOrEqual(chunk);
			await arrived(scene.world, state, clip);
		},
	},
	{
		kind: "a browser that is offline",
		tried: "the upload waits, and goes on by itself when the browser is online",
		reports: ["tus/tus-js-client#67", "transloadit/uppy#288"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const held = hold(scene.world, 2);
			await call(tab, 'begin("lesson-1")');
			await held.hit();
			await scene.setOffline(true);
			held.release();
			await tab.waitForFunction('actions.look().status === "retrying"');
			await scene.setOffline(false);
			await arrived(scene.world, await call(tab, "end()"), clip);
		},
	},
	{
		kind: "a connection that goes silent",
		tried: "after a minute without a byte the upload takes another connection",
		reports: ["transloadit/uppy#4247", "filesender/filesender#600"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			await heldUpload(scene, tab, "lesson-1");
			scene.world.proxy.clear();
			await call(tab, "passMinute()");
			await arrived(scene.world, await call(tab, "end()"), clip);
			expect(await call(tab, "statuses")).toContain("retrying");
		},
	},
	{
		kind: "409 at a wrong offset",
		tried: "the upload asks for the offset, and goes on there",
		reports: ["tus/TUSKit#162", "tus/tus-js-client#507", "opencloud-eu/desktop#971"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			const faults = (["lose-answer", "refuse"] as const).map((kind) =>
				scene.world.proxy.use({
					when: appends,
					nth: 2,
					fault: kind === "refuse" ? { kind, status: 409, headers: readable } : { kind },
				}),
			);
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
			expect(faults.map(({ hits }) => hits)).toEqual([1, 1]);
		},
	},
	{
		kind: "a final answer that is lost",
		tried: "the upload is done, once",
		reports: ["tus/tus-js-client#330", "tusdotnet/tusdotnet#246"],
		async act(scene) {
			const clip = await scene.world.clip(chunk * 2);
			const tab = await scene.tab([clip]);
			const lost = scene.world.proxy.use({ when: appends, nth: 2, fault: { kind: "lose-answer" } });
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
			expect(lost.hits).toBe(1);
			const sent = await Array.fromAsync(scene.world.reelmill.videos.list({ uploaderRef: scene.person }));
			expect(sent).toHaveLength(1);
		},
	},
	{
		kind: "a connection that is cut in the middle",
		tried: "the upload goes on at the byte that arrived",
		reports: ["transloadit/uppy#288", "supabase/storage#419"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			for (const nth of [1, 3])
				scene.world.proxy.use({
					when: appends,
					nth,
					fault: { kind: "cut", direction: "request", afterBytes: chunk / 2 },
				});
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
			expect(await call(tab, "statuses")).toContain("retrying");
		},
	},
	{
		kind: "a slow link",
		tried: "at 256 kbit/s no request is taken for broken",
		reports: ["1ifeworld/river#468", "filesender/filesender#600"],
		async act(scene) {
			const clip = await scene.world.clip(chunk);
			const tab = await scene.tab([clip]);
			scene.world.proxy.use({ when: appends, fault: { kind: "slow", direction: "request", bytesPerSecond: 32_000 } });
			await arrived(scene.world, await call(tab, 'send("lesson-1")'), clip);
			expect(await call(tab, "statuses")).not.toContain("retrying");
		},
	},
	{
		kind: "a token that ends while a file is sent",
		tried: "the upload is expired, not failed, and start begins a new one",
		reports: ["transloadit/uppy#2675", "gdslab/data-to-science#239"],
		async act(scene) {
			const clip = await scene.world.clip();
			const tab = await scene.tab([clip]);
			await heldUpload(scene, tab, "lesson-1");
			scene.world.pass(2 * 3_600_000);
			scene.world.proxy.clear();
			await call(tab, "upload.pause()");
			await call(tab, "again()");
			expect(await call(tab, "end()")).toMatchObject({ status: "expired", endedElsewhere: true });
			await call(tab, "again()");
			await tab.waitForFunction('actions.look().status === "done"');
			await arrived(scene.world, await call(tab, "look()"), clip);
		},
	},
	{
		kind: "a session that ended before the upload",
		tried: "the upload says so by its code, and start goes on once the person is signed in",
		reports: ["ProfessionalWiki/SimpleBatchUpload#4", "bcgov/mds#2613"],
		async act(scene) {
			const clip = await scene.world.clip(chunk);
			const tab = await scene.tab([clip], { person: "" });
			expect(await call(tab, 'send("lesson-1")')).toMatchObject({ status: "failed", error: { code: "unauthorized" } });
			await tab.evaluate(`fetch("/?person=${scene.person}").then(({ ok }) => ok)`);
			await call(tab, "again()");
			await arrived(scene.world, await call(tab, "end()"), clip);
		},
	},
	{
		kind: "an upload in a service worker",
		tried: "it is sent there, also where a connection is cut and PATCH is refused",
		reports: ["tus/tus-js-client#158", "tus/tus-js-client#899", "firebase/firebase-js-sdk#902"],
		async act(scene) {
			const clip = await scene.world.clip(chunk * 2 + 17);
			const tab = await scene.tab([clip]);
			scene.world.proxy.use({
				when: appends,
				nth: 1,
				fault: { kind: "cut", direction: "request", afterBytes: chunk / 2 },
			});
			scene.world.proxy.use({ when: appends, fault: { kind: "refuse", status: 403 } });
			await arrived(scene.world, await call(tab, "sendInServiceWorker()"), clip);
		},
	},
];
