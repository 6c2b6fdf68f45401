import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { listSentences } from "./sentences.ts";

it.each(["console", "cli"])("all that people read of packages/%s stands in one file", async (name) => {
	const at = fileURLToPath(new URL(`../../packages/${name}/`, import.meta.url));
	await expect(await listSentences(`${at}src`)).toMatchFileSnapshot(`${at}sentences.txt`);
});
