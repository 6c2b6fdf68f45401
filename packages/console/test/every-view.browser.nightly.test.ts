import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openConsole } from "./support/console.ts";
import { createWorker, uploadVideo } from "./support/jobs.ts";
import { look } from "./support/look.ts";
import { faultsOf, noteShifts } from "./support/view-checks.ts";
import { shown, viewsOf } from "./support/views.ts";

const console = openConsole({ WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" });

/** Lets answers of the API come one after another, so that whatever one of them pushes about is seen. */
async function stagger(page: Page): Promise<void> {
	let last = Promise.resolve();
	await page.route(/\/(v1|admin\/v1)\//, async (route) => {
		last = last.then(() => new Promise((resolve) => setTimeout(resolve, 30)));
		await last;
		await route.continue().catch(() => undefined);
	});
}

it("shows each view whole: by keyboard, in forced colours, on a small phone, and without a jump", async () => {
	const id = await uploadVideo(console.url, console.tenant, { external_ref: "lesson-1" });
	await uploadVideo(console.url, console.tenant);
	const worker = await createWorker(console.url, console.admin, "rack", "slot-14.rack-2.eu-central.example");
	const [job, spoiled] = [await worker.claim(), await worker.claim()];
	if (job === null || spoiled === null) throw new Error("two videos wait");
	await worker.heartbeat(job, 40, [
		{ renditions: ["h264_720"], started_seconds: 0.2, seconds: 0.5, progress: 100 },
		{ renditions: ["h264_1080", "av1_720", "av1_1080"], started_seconds: 0.2, progress: 31 },
	]);
	await worker.fail(spoiled, "The file ends after 23.8 s.");
	const { id: domainId } = await console.tenant.call("getDomain", {});
	await console.tenant.call("updateDomainConfig", {
		body: { webhook_url: "http://127.0.0.1:9/hook", webhook_secret: "whsec_test", moderation_frames: true },
	});
	const delivery = await console.tenant.call("sendTestWebhook", {});
	const page = await console.signIn("/d/default", { reducedMotion: "reduce" });
	const inside = ["/d/default/upload", `/d/default/videos/${id}`, `/d/default/webhooks/${delivery.id}`];
	const places = [...(await viewsOf(page, console.url)), ...inside, `/operator/domains/${domainId}`];
	await noteShifts(page);
	await stagger(page);
	const faults: Record<string, unknown> = {};
	for (const place of places) {
		await page.goto(`${console.url}/console${place}`);
		await shown(page);
		await page.waitForLoadState("networkidle");
		const found = await faultsOf(page);
		if (Object.keys(found).length > 0) faults[place] = found;
		await look(page, place.slice(1).replaceAll("/", "-").slice(0, 40));
	}
	expect(faults).toEqual({});
	await page.context().clearCookies();
	await page.goto(`${console.url}/console/`);
	await page.getByLabel("Console secret").waitFor();
	expect(await faultsOf(page)).toEqual({});
});
