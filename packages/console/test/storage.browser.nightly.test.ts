import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
	createTestBucket,
	startTestGateway,
	type TestBucket,
	type TestGateway,
} from "../../storage-s3/src/testing/index.ts";
import { checkAccessible } from "./support/accessible.ts";
import { openConsole } from "./support/console.ts";
import { expectUntaken, hostileText } from "./support/hostile.ts";
import { look } from "./support/look.ts";

const console = openConsole({ STORAGE_ALLOW_CIDRS: "127.0.0.1/32" });
let gateway: TestGateway;
let bucket: TestBucket;
beforeAll(async () => {
	gateway = await startTestGateway();
	bucket = await createTestBucket(gateway.server);
});
afterAll(async () => {
	await bucket?.remove();
	await gateway?.close();
});

const steps = (page: Page) =>
	page
		.getByRole("list", { name: "Steps" })
		.getByRole("listitem")
		.evaluateAll((items) => items.map((item) => (item as { dataset: { state?: string } }).dataset.state));

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
	for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
}
const mine = () => ({
	Endpoint: gateway.server.endpoint,
	Bucket: bucket.bucket.bucket,
	Region: gateway.server.region,
	"Key prefix": "videos",
	"Access key id": gateway.server.accessKeyId,
	"Secret access key": gateway.server.secretAccessKey,
});

it("says what is wrong before anything is sent, and shows a failed step with the provider's words and the fix", async () => {
	const page = await console.signIn("/d/default/storage");
	await page.getByText("The service's local disk").waitFor();
	await checkAccessible(page);
	await page.getByRole("button", { name: "Check and save" }).click();
	await page.getByText("A bucket is needed.").waitFor();
	await fill(page, { ...mine(), Endpoint: "ftp://nowhere" });
	await page.getByRole("button", { name: "Check and save" }).click();
	await page.getByText("It begins with https:// or http://.").waitFor();
	await fill(page, { ...mine(), "Secret access key": "not-the-secret" });
	await page.getByRole("button", { name: "Check and save" }).click();
	await page.getByText("SignatureDoesNotMatch (HTTP 403)").waitFor();
	await page.getByText(/^secret_access_key: it isn't the one/).waitFor();
	expect(await steps(page)).toEqual(["passed", "failed", "not_reached", "not_reached", "not_reached"]);
	await checkAccessible(page);
	await look(page, "storage-failed");
	await fill(page, mine());
	await bucket.forbid("s3:GetObject");
	await page.getByRole("button", { name: "Check only" }).click();
	await page.getByText(/^permissions: allow s3:GetObject/).waitFor();
	expect(await steps(page)).toEqual(["passed", "passed", "failed", "not_reached", "not_reached"]);
	await bucket.forbid();
	await page.getByRole("button", { name: "Try again" }).click();
	await page.getByText("The storage passed every check.").waitFor();
	expect(await steps(page)).toEqual(Array(5).fill("passed"));
	expect(await console.tenant.call("getStorage", {})).toMatchObject({ backend: "local" });
	await page.close();
});

it("warns of a bucket that anyone may read, and saves it all the same if asked to", async () => {
	const page = await console.signIn("/d/default/storage");
	await page.getByText("The service's local disk").waitFor();
	await fill(page, mine());
	await bucket.letAnyone({ action: "s3:GetObject", on: "*" });
	await page.getByRole("button", { name: "Check and save" }).click();
	await page.getByText(/^not private: anyone may read outputs/).waitFor();
	expect(await console.tenant.call("getStorage", {})).toMatchObject({ backend: "local" });
	await bucket.letAnyone();
	await page.getByRole("button", { name: "Check and save" }).click();
	await page.getByText("Saved. New videos are stored there from now on.").waitFor();
	await page
		.getByRole("region", { name: "New videos" })
		.getByText(`…${gateway.server.accessKeyId.slice(-4)}`)
		.waitFor();
	const places = page.getByRole("group", { name: "Places" }).locator("tbody tr");
	await places
		.filter({ hasText: `${bucket.bucket.bucket}/videos` })
		.getByText("in use")
		.waitFor();
	expect(await page.getByLabel("Secret access key").inputValue()).toBe("");
	expect(await page.content()).not.toContain(gateway.server.secretAccessKey);
	await checkAccessible(page);
	await look(page, "storage");
	await page.close();
});

it("shows what lies where, and goes back to the local disk", async () => {
	await console.tenant.call("createVideo", { body: { content_type: "video/mp4", file_size: 1000 } });
	const page = await console.signIn("/d/default/storage");
	await page.getByRole("button", { name: "Store on the local disk" }).click();
	await page.getByRole("alertdialog").getByRole("button", { name: "Store on the local disk" }).click();
	await page.getByText("The service's local disk").waitFor();
	await expect.poll(async () => (await console.tenant.call("getStorage", {})).backend).toBe("local");
	await page.getByRole("group", { name: "Places" }).getByText(`${bucket.bucket.bucket}/videos`).waitFor();
	await page.close();
});

it("shows a storage's hostile error and key prefix as text", async () => {
	const { id } = await console.tenant.call("getDomain", {});
	await console.tenant.call("putStorage", {
		body: {
			backend: "s3_tenant",
			endpoint: gateway.server.endpoint,
			region: gateway.server.region,
			bucket: bucket.bucket.bucket,
			access_key_id: gateway.server.accessKeyId,
			secret_access_key: gateway.server.secretAccessKey,
		},
	});
	await console.database.query({
		text: "update reelmill.storage_profiles set last_error = $1, last_fault = 'failed', location_id = null, endpoint = $1, key_prefix = $1 where domain_id = $2",
		values: [hostileText, id],
	});
	const page = await console.signIn("/d/default/storage");
	await page.getByRole("region", { name: "New videos" }).getByText(hostileText).first().waitFor();
	await page.getByRole("group", { name: "Places" }).getByText(hostileText).first().waitFor();
	await expectUntaken(page);
	await page.close();
});
