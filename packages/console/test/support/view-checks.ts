import type { Page } from "playwright-core";

type Shifted = { shifted?: number };

/** Notes from now on how far the page's parts have been pushed about while it loads, as Chromium counts it. */
export const noteShifts = (page: Page): Promise<unknown> =>
	page.addInitScript(() => {
		const seen = globalThis as Shifted;
		seen.shifted = 0;
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
				if (!entry.hadRecentInput) seen.shifted = (seen.shifted ?? 0) + entry.value;
		}).observe({ type: "layout-shift", buffered: true });
	});

/** Returns what is wrong with a view of what holds for all of them, beside what axe sees; an empty object if nothing is. */
export async function faultsOf(page: Page): Promise<Record<string, readonly string[]>> {
	const found: Record<string, readonly string[]> = {};
	const note = (what: string, problems: readonly string[]) =>
		problems.length > 0 && Object.assign(found, { [what]: problems });
	const shifted = await page.evaluate(() => (globalThis as Shifted).shifted ?? 0);
	note("what is shown is pushed about", shifted > 0.05 ? [shifted.toFixed(3)] : []);
	note("bytes in steps of a thousand", (await page.locator("body").innerText()).match(/\d\s?[kMGT]B\b/g) ?? []);
	note("scrolls beyond the page's end", await page.evaluate(emptyBelow));
	await page.keyboard.press("Tab");
	note("cuts the ring of the focus off", await page.evaluate(cutRings));
	await page.evaluate(markPainted);
	await page.emulateMedia({ forcedColors: "active" });
	// A page hears of it before it draws its next frame.
	await page.evaluate(() => new Promise(requestAnimationFrame));
	note("shows nothing in forced colours", [...(await page.evaluate(unseen)), ...(await emptyBars(page))]);
	await page.emulateMedia({ forcedColors: "none" });
	const size = page.viewportSize() ?? { width: 1440, height: 900 };
	await page.setViewportSize({ width: 390, height: 844 });
	note("breaks a word", await page.evaluate(brokenWords));

	await page.setViewportSize({ width: 320, height: 640 });
	note("scrolls sideways at 320 px", await page.evaluate(widerThanPage));
	await page.setViewportSize(size);
	return found;
}

/** How far the page scrolls below all that it shows. */
function emptyBelow(): string[] {
	const root = document.getElementById("root") as HTMLElement;
	const ends = Math.max(innerHeight, root.getBoundingClientRect().bottom + scrollY);
	const empty = document.documentElement.scrollHeight - ends;
	return empty > 1 ? [`${empty} px`] : [];
}

/** The parts that end beyond the right edge, if the page scrolls there. */
function widerThanPage(): string[] {
	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth <= clientWidth) return [];
	return [...document.querySelectorAll("body *")]
		.filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
		.map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`)
		.slice(0, 8);
}

/** The words that go on in another line, though each has fewer letters than a line. */
function brokenWords(): string[] {
	const broken: string[] = [];
	const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
	for (let text = texts.nextNode(); text; text = texts.nextNode()) {
		if (text.parentElement?.closest(".visually-hidden, pre, code, option, svg")) continue;
		for (const { 0: word, index } of (text.textContent ?? "").matchAll(
			/(?<!\S)[\p{L}\p{N}]{2,24}(?=[.,:;!?)]?(?!\S))/gu,
		)) {
			const range = document.createRange();
			range.setStart(text, index);
			range.setEnd(text, index + word.length);
			const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
			if (lines.size > 1) broken.push(word);
		}
	}
	return [...new Set(broken)].slice(0, 8);
}

/** What can have the focus, and shows only a part of its ring then. */
function cutRings(): string[] {
	const cut: string[] = [];
	const all = document.querySelectorAll<HTMLElement>(
		"main :is(a[href], button, input, select, textarea, [tabindex='0'])",
	);
	for (const element of all) {
		element.focus();
		const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
		if (outlineStyle === "none") continue;
		const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
		const box = element.getBoundingClientRect();
		for (let holder = element.parentElement; holder; holder = holder.parentElement) {
			const { overflowX, overflowY } = getComputedStyle(holder);
			if (holder === document.body || (overflowX === "visible" && overflowY === "visible")) continue;
			const { left, top } = holder.getBoundingClientRect();
			const inner = { left: left + holder.clientLeft, top: top + holder.clientTop };
			const isCut = [
				[box.left - inner.left, overflowX],
				[box.top - inner.top, overflowY],
				[inner.left + holder.clientWidth - box.right, overflowX],
				[inner.top + holder.clientHeight - box.bottom, overflowY],
			].some(([room, overflow]) => overflow !== "visible" && (room as number) > -0.5 && (room as number) < ring - 0.5);
			if (isCut) cut.push(`${element.tagName} ${element.textContent?.slice(0, 30)} in ${holder.className}`);
		}
	}
	(document.activeElement as HTMLElement | null)?.blur();
	return [...new Set(cut)].slice(0, 8);
}

/** Marks what is nothing but a colour: shapes without a text or an icon, and the chosen ones among others. */
function markPainted(): void {
	const isClear = (colour: string) => /^rgba.*, 0\)$/.test(colour);
	for (const element of document.querySelectorAll<HTMLElement>("main *, nav *")) {
		const inside = element.shadowRoot ?? element;
		const isShape =
			inside.textContent === "" &&
			inside.querySelector("svg, img, video, input") === null &&
			!element.matches("svg *, svg, img, video, input, textarea, select, option, progress");
		for (const part of ["", "::before"]) {
			const { backgroundColor, backgroundImage, width, height, content } = getComputedStyle(element, part);
			if ((part !== "" && content === "none") || backgroundImage !== "none") continue;
			const isPainted = !isClear(backgroundColor) && Number.parseFloat(width) > 0 && Number.parseFloat(height) > 0;
			if (isPainted && (part !== "" || isShape))
				element.dataset["painted"] = `${element.dataset["painted"] ?? ""} ${part || "self"}`;
		}
		const { backgroundColor } = getComputedStyle(element);
		if (element.matches("[aria-current], [data-status=active]") && !isClear(backgroundColor))
			element.dataset["chosen"] = "";
	}
}

/** Of the marked ones, those that have neither an edge nor a ground of their own any more. */
function unseen(): string[] {
	const groundOf = (element: Element | null): string => {
		for (let each = element; each; each = each.parentElement) {
			const { backgroundColor } = getComputedStyle(each);
			if (!/^rgba.*, 0\)$/.test(backgroundColor)) return backgroundColor;
		}
		return getComputedStyle(document.body).backgroundColor;
	};
	const hasEdge = ({ borderTopStyle, borderTopWidth, outlineStyle, textDecorationLine }: CSSStyleDeclaration) =>
		(borderTopStyle !== "none" && borderTopWidth !== "0px") || outlineStyle !== "none" || textDecorationLine !== "none";
	const missing: string[] = [];
	for (const element of document.querySelectorAll<HTMLElement>("[data-painted], [data-chosen]")) {
		const parts = (element.dataset["painted"] ?? "").split(" ").filter((part) => part !== "");
		for (const part of parts) {
			const style = getComputedStyle(element, part === "self" ? "" : part);
			const behind = groundOf(part === "self" ? element.parentElement : element);
			if (!hasEdge(style) && style.backgroundColor === behind) missing.push(`${element.className} ${part}`);
		}
		const style = getComputedStyle(element);
		const isBold = Number(style.fontWeight) > Number(getComputedStyle(element.parentElement as Element).fontWeight);
		if (
			"chosen" in element.dataset &&
			!isBold &&
			!hasEdge(style) &&
			style.backgroundColor === groundOf(element.parentElement)
		)
			missing.push(`${element.className} chosen`);
		delete element.dataset["painted"];
		delete element.dataset["chosen"];
	}
	return [...new Set(missing)];
}

/** The bars that are all of one colour: what browsers paint of a bar has no style that a script can read. */
async function emptyBars(page: Page): Promise<string[]> {
	const empty: string[] = [];
	for (const bar of await page.locator("main progress:visible").all()) {
		const picture = (await bar.screenshot()).toString("base64");
		const colours = await page.evaluate(async (data) => {
			const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
			const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
			const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext(
				"2d",
			) as OffscreenCanvasRenderingContext2D;
			context.drawImage(bitmap, 0, 0);
			return new Set(new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)).size;
		}, picture);
		if (colours < 2) empty.push("a bar");
	}
	return empty;
}
