import { readFile } from "node:fs/promises";

const guide = new URL("../../../../docs/guides/proxy-and-tls.md", import.meta.url);

/** Returns the blocks of this language in the guide to proxies, in their order. */
export async function guideBlocks(language: string): Promise<string[]> {
	const blocks = (await readFile(guide, "utf8")).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
	return Array.from(blocks, ([, block = ""]) => block);
}

/** Returns the first one. */
export async function guideBlock(language: string): Promise<string> {
	const [block] = await guideBlocks(language);
	if (block === undefined) throw new Error(`the guide has no block of ${language}`);
	return block;
}
