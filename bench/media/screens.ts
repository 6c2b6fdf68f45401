import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";

const text = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), "utf8");
const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const keywords = /\b(export|import|const|return|async|await|function|type|readonly|for|of|if|from|new)\b/g;

/** A screen that is recorded: its page, and what moves in each frame. */
type Screen = { readonly html: () => Promise<string>; readonly draw: (page: Page, frame: number) => Promise<void> };

/** A page of text that is scrolled, stands still, and is scrolled on. */
const article: Screen = {
	html: async () => {
		const blocks = (await text("docs/guides/encoding.md")).split("\n\n").map((block) => `<p>${escaped(block)}</p>`);
		return `<style>body{font:20px/1.5 sans-serif;margin:40px 280px;color:#222}p:nth-child(5n){background:#eef4ff;
			padding:20px;border-left:6px solid #36c}</style>${blocks.join("")}`;
	},
	draw: async (page, frame) => {
		const scrolled = frame < 30 ? frame * 12 : frame < 60 ? 360 : 360 + (frame - 60) * 24;
		await page.evaluate((top) => scrollTo(0, top), scrolled);
	},
};

/** A dark editor in which a line is typed, then the file is scrolled by whole lines. */
const editor: Screen = {
	html: async () => {
		const code = escaped(await text("packages/media/src/process.ts")).replaceAll(keywords, "<b>$1</b>");
		return `<style>body{margin:0;background:#1e1e2e;color:#cdd6f4;font:18px/27px monospace}b{color:#cba6f7}pre{margin:20px
			0 0 340px;tab-size:4}nav{position:fixed;inset:0 auto 0 0;width:300px;background:#181825}i{position:fixed;left:340px;
			top:520px;background:#313244;width:1400px;font-style:normal}</style><nav></nav><pre>${code}</pre><i></i>`;
	},
	draw: async (page, frame) => {
		const typed = "const renditions = selectRenditions(probe, job, decide);".slice(0, Math.floor(frame / 1.5));
		const lines = Math.max(0, Math.floor((frame - 60) / 3));
		await page.evaluate(
			([words, top]) => {
				(document.querySelector("i") as HTMLElement).textContent = `${words}|`;
				scrollTo(0, top as number);
			},
			[typed, lines * 27] as const,
		);
	},
};

export const screens = { article, editor };

/** Draws a screen of 1080p as numbered PNG files, one a frame. Needs Chromium. */
export async function drawScreen({ html, draw }: Screen, frames: number, folder: string): Promise<void> {
	const browser = await chromium.launch({
		executablePath: "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu"],
	});
	try {
		const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
		await page.setContent(await html());
		for (let frame = 0; frame < frames; frame += 1) {
			await draw(page, frame);
			await page.screenshot({ path: join(folder, `${String(frame).padStart(4, "0")}.png`) });
		}
	} finally {
		await browser.close();
	}
}
