import { readFile } from "node:fs/promises";

const guide = new URL("../../../../docs/guides/proxy-and-tls.md", import.meta.url);

/** Returns the first block of this language in the guide to proxies. */
export async function guideBlock(language: string): Promise<string> {
	const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(await readFile(guide, "utf8")) ?? [];
	if (block === undefined) throw new Error(`the guide has no block of ${language}`);
	return block;
}
