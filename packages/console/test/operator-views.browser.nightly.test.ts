import { expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { openConsole } from "./support/console.ts";
import { expectUntaken, hostileText } from "./support/hostile.ts";
import { createWorker, uploadVideo } from "./support/jobs.ts";
import { look } from "./support/look.ts";

const console = openConsole({ KEEP_ENDED_DAYS: "77", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" });

it("shows an operator a queue with nothing in it, and what to do where no worker is", async () => {
	const page = await console.signIn("/operator/queue");
	await page.getByText("Nothing to do").waitFor();
	await page.getByText("No worker is connected").waitFor();
	await checkAccessible(page);
	await page.context().close();
});

it("shows what waits and runs, who does it how fast, and narrows it to a domain", async () => {
	const acme = await console.createDomain("acme");
	const [first] = [
		await uploadVideo(console.url, console.tenant, { external_ref: hostileText }),
		await uploadVideo(console.url, console.tenant, { external_ref: "lecture-4.mp4" }),
		await uploadVideo(console.url, acme.tenant),
	];
	const worker = await createWorker(console.url, console.admin, "rack", hostileText);
	const job = await worker.claim();
	expect(job?.id).toBe(first);
	if (job === null) return;
	await expect.poll(async () => (await console.admin.call("getQueue", {})).running).toBe(1);
	await worker.heartbeat(job, 40);
	const sick = await createWorker(console.url, console.admin, "cellar", "sick");
	await sick.isIll();

	const page = await console.signIn("/operator/queue");
	const workers = page.getByRole("group", { name: "Workers and their jobs" });
	await workers.getByText(`rack/${hostileText}`).waitFor();
	await workers.getByText(/^\d+(\.\d)?×$/).waitFor();
	await workers.getByRole("row").filter({ hasText: "cellar/sick" }).getByText("ill: disk full").waitFor();
	const jobs = page.getByRole("group", { name: "Jobs", exact: true });
	await jobs.getByText("running 40 %").waitFor();
	await page.getByText(/^\d+ (s|min)$/).waitFor();
	await expect.poll(() => jobs.getByRole("row").count()).toBe(4);
	await jobs.getByRole("link", { name: /^lecture-4\.mp4\s*[0-9a-f]{8}…$/ }).waitFor();
	await checkAccessible(page);
	await look(page, "queue");

	await page.getByRole("group", { name: "The queue by domain" }).getByRole("link", { name: "acme" }).click();
	await page.getByRole("heading", { name: "Jobs of one domain, oldest first" }).waitFor();
	await expect.poll(() => jobs.getByRole("row").count()).toBe(2);
	await page.reload();
	await expect.poll(() => jobs.getByRole("row").count()).toBe(2);
	await page.getByRole("link", { name: "All domains" }).click();
	await page.getByRole("link", { name: "Waiting" }).click();
	await expect.poll(() => jobs.getByRole("row").count()).toBe(3);
	await page.goBack();
	await expect.poll(() => jobs.getByRole("row").count()).toBe(4);

	// A change elsewhere is seen without a hand on the page.
	await worker.heartbeat(job, 55);
	await jobs.getByText("running 55 %").waitFor();
	await expectUntaken(page);

	await page.getByRole("link", { name: "Workers" }).first().click();
	await page.getByRole("heading", { name: "Workers", level: 1 }).waitFor();
	const row = page.getByRole("row").filter({ hasText: hostileText });
	await row.getByText("working").waitFor();
	await row.getByText("127.0.0.1").waitFor();
	await page.getByRole("row").filter({ hasText: "cellar" }).getByText("ill: disk full").waitFor();
	await checkAccessible(page);
	await look(page, "workers");
	await page.getByRole("link", { name: "Gone" }).click();
	await page.getByText("No workers to show").waitFor();
	await expectUntaken(page);

	// The video's page tells how far each rendition is, and follows it.
	const encoded = { renditions: ["h264_720"], started_seconds: 0.5, seconds: 1, progress: 100 };
	const encoding = { renditions: ["h264_1080", "av1_720", "av1_1080"], started_seconds: 0.5, progress: 31 };
	await worker.heartbeat(job, 60, [encoded, encoding]);
	await page.goto(`${console.url}/console/d/default/videos/${job.id}`);
	const encode = (name: string) =>
		page.getByRole("region", { name: "Timeline" }).getByRole("listitem").filter({ hasText: name });
	await encode("h264_720").getByText("100 %").waitFor();
	await encode("h264_1080, av1_720, av1_1080").getByText("together, 31 %").waitFor();
	await worker.heartbeat(job, 70, [encoded, { ...encoding, progress: 52 }]);
	await encode("h264_1080").getByText("together, 52 %").waitFor();
	await encode("h264_1080").focus();
	await checkAccessible(page);
	await look(page, "video-encoding", encode("h264_1080"));

	await worker.fail(job, hostileText);
	await page.goto(`${console.url}/console/operator/failures`);
	const failed = page.getByRole("group", { name: "What failed" });
	await failed.getByText(hostileText, { exact: true }).last().waitFor();
	await page.getByRole("link", { name: /^invalid media/ }).click();
	await page.getByRole("heading", { name: "invalid media, newest first" }).waitFor();
	expect(new URL(page.url()).search).toBe("?reason=invalid_media");
	await checkAccessible(page);
	await look(page, "failures");
	await page.getByRole("link", { name: "400 days" }).click();
	await expect.poll(() => failed.getByRole("row").count()).toBe(2);
	await failed.getByRole("link", { name: new RegExp(`${job.id.slice(0, 8)}…$`) }).click();
	await page.waitForURL(`**/console/d/default/videos/${job.id}`);
	await expectUntaken(page);
	await page.context().close();
});

it("has failed videos processed anew, from the list of failures and from a video's page", async () => {
	const again = await console.createDomain("again");
	const worker = await createWorker(console.url, console.admin, "again", "w");
	const stateOf = async (id: string) => (await again.tenant.call("getVideo", { params: { id } })).state;
	const failed = async (reason: "invalid_media" | "storage_error") => {
		const id = await uploadVideo(console.url, again.tenant);
		for (let job = await worker.claim(); job !== null; job = await worker.claim())
			await worker.fail(job, "the disk was full", job.id === id ? reason : "invalid_media");
		expect(await stateOf(id)).toBe("failed");
		return id;
	};
	const [first, second, spoiled] = [
		await failed("storage_error"),
		await failed("storage_error"),
		await failed("invalid_media"),
	];

	const page = await console.signIn("/operator/failures");
	const button = (id: string) => page.getByRole("button", { name: `Reprocess ${id.slice(0, 8)}` });
	await button(second).waitFor();
	expect(await button(spoiled).count()).toBe(0);
	await checkAccessible(page);
	await look(page, "failures-again");
	await button(first).click();
	await expect.poll(() => stateOf(first)).toBe("queued");
	await button(first).click();
	await page.getByText("Reload to see the state it is in now.").waitFor();

	await page.goto(`${console.url}/console/d/again/videos/${spoiled}`);
	await page.getByRole("button", { name: "Delete" }).waitFor();
	expect(await page.getByRole("button", { name: "Reprocess" }).count()).toBe(0);
	await page.goto(`${console.url}/console/d/again/videos/${second}`);
	await page.getByRole("button", { name: "Reprocess" }).waitFor();
	await look(page, "video-failed");
	await page.getByRole("button", { name: "Reprocess" }).click();
	await checkAccessible(page);
	await look(page, "video-reprocess");
	await page.getByRole("alertdialog").getByRole("button", { name: "Reprocess the video" }).click();
	await page.getByText("waiting for a worker").first().waitFor();
	expect(await stateOf(second)).toBe("queued");
	await page.getByRole("region", { name: "Changes" }).getByText("queued again").waitFor();
	await page.context().close();
});

it("shows the system, its storage and its settings, and no secret", async () => {
	const { id } = await console.createDomain("buckets");
	await console.database.query({
		text: `with p as (insert into reelmill.storage_profiles (id, domain_id, backend, endpoint, region, bucket, access_key_id, secret, last_error, last_fault, created_at)
			values (gen_random_uuid(), $1, 's3_tenant', 'https://s3.example', 'eu', $2, 'k', 's', $2, 'bucket', now()) returning id)
			update reelmill.domains set storage_profile_id = p.id from p where domains.id = $1`,
		values: [id, hostileText],
	});
	const page = await console.signIn("/operator/system");
	await page.getByText("1 failing").waitFor();
	const health = page.getByRole("group", { name: "Health of the storage" });
	await health.getByText(hostileText, { exact: true }).first().waitFor();
	await page.getByText("writable", { exact: true }).waitFor();
	const settings = page.getByRole("group", { name: "Settings and their values" });
	await settings.getByRole("row").filter({ hasText: "REELMILL_ADMIN_KEY" }).getByText("secret, set").waitFor();
	expect(await page.locator("body").innerText()).not.toContain("operators-key-of-the-console-tests");
	await checkAccessible(page);
	await look(page, "system");
	await page.getByRole("link", { name: /^Set by you/ }).click();
	await settings.getByRole("row").filter({ hasText: "REELMILL_KEEP_ENDED_DAYS" }).getByText("77").waitFor();
	await expect.poll(() => settings.getByText("REELMILL_LOG_LEVEL").count()).toBe(0);
	await expectUntaken(page);
	await page.context().close();
});
