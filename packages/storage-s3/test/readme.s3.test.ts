import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { expect, inject, it } from "vitest";

it("shows an example in the README that runs as it stands", async () => {
	const example = fileURLToPath(new URL("./readme-example.ts", import.meta.url));
	const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
	expect(readme).toContain(`\`\`\`ts\n${await readFile(example, "utf8")}\`\`\``);
	const test = await createTestBucket(inject("s3"));
	const { endpoint, bucket, credentials } = test.bucket;
	const { stdout } = await promisify(execFile)(process.execPath, [
		example,
		endpoint ?? "",
		bucket,
		credentials?.id ?? "",
		credentials?.secret ?? "",
	]);
	expect(stdout).toBe("bytes\n");
	expect(await test.keys()).toEqual([]);
	await test.remove();
});
