import { expect, it } from "vitest";
import { withTabs } from "./tabs.ts";

const block = (label: string, language: string) =>
	`**${label}**\n\n<!-- run by: x -->\n\n\`\`\`${language}\none\n\`\`\`\n\n`;

it("makes tabs of blocks of code that follow each other below their names, and of nothing else", () => {
	const alone = `${block("Express", "ts")}Text.\n\n${block("Hono", "ts")}`;
	expect(withTabs(alone)).toBe(alone);
	const shown = withTabs(`Before.\n\n${block("Express", "ts")}${block("Page", "html")}After.\n`);
	expect(shown).toBe(
		"Before.\n\n::: code-group\n\n```ts [Express]\none\n```\n\n```html [Page]\none\n```\n\n:::\n\nAfter.\n",
	);
});

it("makes tabs of the sections below the mark, up to the next heading of a higher level", () => {
	const shown = withTabs("## A\n\n<!-- tabs -->\n\n### Express\n\none\n\n### Hono\n\ntwo\n\n## B\n\n### C\n");
	expect(shown.match(/<label for="[^"]+">[^<]+/g)?.map((label) => label.replace(/.*>/, ""))).toEqual([
		"Express",
		"Hono",
	]);
	expect(shown.match(/<div class="vp-block/g)?.length).toBe(2);
	expect(shown).toMatch(/<\/div>\n```\n\n```raw\n<\/div><\/div>\n```\n\n## B\n\n### C\n$/);
	expect(shown.match(/<div/g)?.length).toBe(shown.match(/<\/div>/g)?.length);
});
