import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { initiate, openService } from "../../http/test/support/open-service.ts";
import { available } from "./readme-example.ts";

it("shows an example in the README that runs as it stands", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./readme-example.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);

	const service = await openService();
	try {
		const { apiKey, auth } = await service.tenant();
		const { id } = (await initiate(service, auth)).video;
		expect(await available(service.url, apiKey)).toEqual([id]);
		await expect(available(service.url, "ek_wrong")).rejects.toThrow("reelmill ended with 1");
	} finally {
		await service.close();
	}
});
