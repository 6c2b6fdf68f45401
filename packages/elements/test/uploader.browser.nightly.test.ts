import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Uploader } from "@reelmill/browser/upload";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { tusServer } from "../../client/test/support/tus-server.ts";
import { checkAccessible } from "../../console/test/support/accessible.ts";
import type { ReelmillUploader } from "../src/uploader.ts";
import { type ElementsForTests, focused, look, openElements } from "./support/open-elements.ts";
import type { PageSdk } from "./support/page-sdk.ts";

const chunkSize = 256 * 1024;
const bytes = randomBytes(chunkSize * 3 + 17);
/** Files of other names have other bytes: two of the same bytes are one upload. */
const clip = (name = "holiday.mp4", buffer = name === "holiday.mp4" ? bytes : randomBytes(bytes.length)) => ({
	name,
	mimeType: "video/mp4",
	buffer,
});

/** Holds each PATCH from an offset on until `release` is called; answers each as a proxy that refuses it while `refusal` is set. */
function createGate() {
	let held = Promise.withResolvers<void>();
	const gate = {
		from: Number.POSITIVE_INFINITY,
		refusal: null as number | null,
		async intercept(request: IncomingMessage, response: ServerResponse) {
			if (request.method === "PATCH" && gate.refusal !== null) {
				request.resume();
				const headers = { "access-control-allow-origin": "*", "content-type": "text/html" };
				response.writeHead(gate.refusal, headers).end("<h1>No</h1>");
				return true;
			}
			const offset = Number(request.headers["upload-offset"] ?? 0);
			if (request.method === "PATCH" && offset >= gate.from) await held.promise;
			return false;
		},
		release() {
			gate.from = Number.POSITIVE_INFINITY;
			held.resolve();
			held = Promise.withResolvers();
		},
	};
	return gate;
}

const gate = createGate();
let tus: Awaited<ReturnType<typeof tusServer>>;
let elements: ElementsForTests;
let count = 0;
beforeAll(async () => {
	tus = await tusServer({ intercept: gate.intercept });
	elements = await openElements([new URL(tus.endpoint).origin]);
});
afterAll(async () => {
	await elements?.close();
	await tus?.[Symbol.asyncDispose]();
	expect(elements?.unexpected).toEqual([]);
});

/** Opens an uploader whose back end gives out uploads, or refuses with a code while `page` has one. */
async function openUploader(attributes = "", options: Parameters<ElementsForTests["open"]>[1] = {}): Promise<Page> {
	const page = await elements.open(`<reelmill-uploader ${attributes}></reelmill-uploader>`, options);
	await page.exposeFunction("backEnd", () => {
		const id = `video-${++count}`;
		return { video: { id }, upload: tus.ticket(id) };
	});
	await page.evaluate((size) => {
		const uploader = document.querySelector("reelmill-uploader") as ReelmillUploader;
		const scope = globalThis as unknown as { refusal?: string; backEnd(): Promise<never>; events: string[] };
		scope.events = [];
		uploader.uploadOptions = { chunkSize: size, backoffSeconds: 0.05 };
		uploader.initiate = async () => {
			if (scope.refusal) throw Object.assign(new Error("refused"), { code: scope.refusal });
			return scope.backEnd();
		};
		for (const type of ["uploaddone", "uploadfail", "uploadrefuse", "uploadcancel"])
			uploader.addEventListener(type, () => scope.events.push(type));
	}, chunkSize);
	return page;
}

const choose = (page: Page, ...files: ReturnType<typeof clip>[]) =>
	page.locator("reelmill-uploader input[type=file]").setInputFiles(files);
const item = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });
const events = (page: Page) => page.evaluate(() => (globalThis as unknown as { events: string[] }).events);

afterEach(gate.release);

describe("the uploader", () => {
	it("is used by keyboard alone: choose, pause, resume, remove, and says aloud what happens", async () => {
		const page = await openUploader();
		gate.from = chunkSize;
		// From before the keys are pressed: the browser is told of it by a call that nothing waits for.
		const choosing = page.waitForEvent("filechooser");
		await expect
			.poll(async () => {
				await page.keyboard.press("Tab");
				return focused(page);
			})
			.toBe("Choose a video");
		await page.keyboard.press("Enter");
		await (await choosing).setFiles([clip()]);
		const row = item(page, "holiday.mp4");
		await expect.poll(() => row.getByRole("progressbar").getAttribute("aria-valuenow")).not.toBe("0");
		await expect.poll(() => page.getByRole("status").textContent()).toBe("holiday.mp4 was added.");
		await look(page, "uploading");

		await page.keyboard.press("Tab");
		await page.keyboard.press("Enter");
		await row.getByText("Paused", { exact: false }).waitFor();
		await look(page, "paused");
		gate.release();
		// The focus stays where it was: on what continues the upload.
		expect(await focused(page)).toBe("Resume: holiday.mp4");
		await page.keyboard.press("Enter");
		await row.getByText("Uploaded", { exact: false }).waitFor();
		await expect.poll(() => page.getByRole("status").textContent()).toBe("holiday.mp4 is uploaded.");
		expect((await tus.bytes(`video-${count}`)).equals(bytes)).toBe(true);
		await look(page, "done");

		await row.getByRole("button").focus();
		await page.keyboard.press("Enter");
		await expect.poll(() => page.getByRole("listitem").count()).toBe(0);
		expect(await focused(page)).toBe("Choose a video");
		expect(await events(page)).toEqual(["uploaddone"]);
		await page.context().close();
	});

	it("says in words why a file is not taken, and why an upload failed, and tries again", async () => {
		const page = await openUploader('multiple max-bytes="2000000" max-files="2"');
		await page.evaluate(() => Object.assign(globalThis, { refusal: "upload_quota_exceeded" }));
		await choose(
			page,
			clip(),
			{ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("dear") },
			clip("huge.mp4", Buffer.alloc(2_000_001)),
			clip("empty.mp4", Buffer.alloc(0)),
		);
		await item(page, "letter.txt").getByText("This file is not a video.").waitFor();
		await item(page, "huge.mp4").getByText("This file is too large.").waitFor();
		await item(page, "empty.mp4").getByText("This file is empty.").waitFor();
		const row = item(page, "holiday.mp4").first();
		await row.getByText("Today's upload limit is reached. Try again tomorrow.").waitFor();
		await look(page, "failed");
		await checkAccessible(page);

		gate.refusal = 413;
		await page.evaluate(() => Object.assign(globalThis, { refusal: null }));
		await row.getByRole("button", { name: "Try again: holiday.mp4" }).click();
		await row.getByText("A proxy on the way refuses even small parts of this file (413).").waitFor();
		gate.refusal = null;
		await row.getByRole("button", { name: "Try again: holiday.mp4" }).click();
		await row.getByText("Uploaded", { exact: false }).waitFor();
		await choose(page, clip("second.mp4"), clip("third.mp4"));
		await item(page, "third.mp4").getByText("No more videos can be added.").waitFor();
		await page.evaluate(() => {
			const uploader = document.querySelector("reelmill-uploader");
			uploader?.add(uploader.items.slice(0, 1).map(({ file }) => file));
		});
		await item(page, "holiday.mp4").getByText("This file is already in the list.").waitFor();
		// What was refused before is gone with the next choice.
		expect(await item(page, "letter.txt").count()).toBe(0);
		await page.context().close();
	});

	it("takes what is dropped, pasted and recorded", async () => {
		const page = await openUploader("multiple camera", { permissions: ["camera", "microphone"] });
		await page.evaluate(() => {
			const uploader = document.querySelector("reelmill-uploader") as HTMLElement;
			const data = (name: string) => {
				const transfer = new DataTransfer();
				transfer.items.add(new File(["bytes"], name, { type: "video/mp4" }));
				return transfer;
			};
			const drag = (type: string) =>
				uploader.dispatchEvent(
					new DragEvent(type, { dataTransfer: data("dropped.mp4"), bubbles: true, cancelable: true }),
				);
			drag("dragover");
			drag("drop");
			const paste = (target: EventTarget, name: string) =>
				target.dispatchEvent(
					new ClipboardEvent("paste", { clipboardData: data(name), bubbles: true, cancelable: true }),
				);
			paste(document.body, "pasted.mp4");
			const field = document.createElement("input");
			field.setAttribute("aria-label", "Name");
			document.querySelector("main")?.append(field);
			field.focus();
			paste(field, "elsewhere.mp4");
		});
		await item(page, "dropped.mp4").getByText("Uploaded", { exact: false }).waitFor();
		await item(page, "pasted.mp4").getByText("Uploaded", { exact: false }).waitFor();
		expect(await item(page, "elsewhere.mp4").count()).toBe(0);

		await page.getByRole("button", { name: "Record a video" }).click();
		await look(page, "camera");
		await page.getByRole("button", { name: "Start recording" }).click();
		await look(page, "camera-recording");
		await checkAccessible(page);
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Use this video" }).click();
		await item(page, "Recording").getByText("Uploaded", { exact: false }).waitFor();
		await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
		await page.context().close();
	});

	it("belongs to a form: the ids are its values, and the form waits for them", async () => {
		const page = await elements.open(
			'<form><reelmill-uploader name="video" required manual></reelmill-uploader><button>Send</button></form>',
		);
		await page.exposeFunction("backEnd", () => {
			const id = `video-${++count}`;
			return { video: { id }, upload: tus.ticket(id) };
		});
		const form = () =>
			page.evaluate(() => {
				const element = document.querySelector("form") as HTMLFormElement;
				return { isValid: element.checkValidity(), values: new FormData(element).getAll("video") };
			});
		await page.evaluate(() => {
			const scope = globalThis as unknown as { backEnd: unknown };
			Object.assign(document.querySelector("reelmill-uploader") as object, { initiate: scope.backEnd });
		});
		expect(await form()).toEqual({ isValid: false, values: [] });
		await choose(page, clip());
		await item(page, "holiday.mp4").getByText("Ready to upload", { exact: false }).waitFor();
		// The browser shows what is missing: it would say nothing of an element that can't have the focus.
		const submit = async () => {
			await page.getByRole("button", { name: "Send" }).click();
			return page.evaluate(() => document.activeElement?.localName);
		};
		expect(await submit()).toBe("reelmill-uploader");
		await page.getByRole("button", { name: "Upload: holiday.mp4" }).click();
		await item(page, "holiday.mp4").getByText("Uploaded", { exact: false }).waitFor();
		expect(await form()).toEqual({ isValid: true, values: [`video-${count}`] });
		const choice = page.getByRole("button", { name: "Choose a video" });
		expect(await choice.isVisible()).toBe(false);
		await page.evaluate(() => {
			const uploader = document.querySelector("reelmill-uploader") as ReelmillUploader;
			uploader.follow = async (id) => ({ id, outputs: null, state: "failed", failure_reason: "no_video_stream" });
		});
		await item(page, "holiday.mp4").getByText("This file has no picture.").waitFor();
		expect(await form()).toEqual({ isValid: false, values: [] });
		expect(await submit()).toBe("reelmill-uploader");
		expect(await focused(page)).toBe("Choose a video");
		await look(page, "required-failed");
		await choose(page, clip("better.mp4"));
		await item(page, "better.mp4").getByText("Ready to upload", { exact: false }).waitFor();
		await page.evaluate(() => document.querySelector("form")?.reset());
		await expect.poll(form).toEqual({ isValid: false, values: [] });
		await page.context().close();
	});

	it("speaks the page's language from right to left, in a narrow page, without findings of axe", async () => {
		const page = await openUploader("multiple camera max-bytes=4000000000", {
			lang: "ar",
			dir: "rtl",
			viewport: { width: 360, height: 640 },
		});
		await page.getByRole("button", { name: "اختيار مقاطع فيديو" }).waitFor();
		await checkAccessible(page);
		await look(page, "empty-arabic-narrow");
		gate.from = chunkSize;
		const longName = `${"a very long name ".repeat(10)}.mp4`;
		await choose(page, clip(), clip("b.mp4"), clip("c.mp4"), clip(longName));
		await expect.poll(() => page.getByRole("status").textContent()).toMatch(/^أُضيفت [4٤] مقاطع فيديو\.$/);
		// A long name keeps its ending, and its row its place.
		const row4 = item(page, longName);
		const [rowBox, endBox] = await Promise.all(
			[row4, row4.getByText(".mp4", { exact: true })].map((each) => each.boundingBox()),
		);
		expect(endBox?.x).toBeGreaterThan(rowBox?.x ?? 0);
		expect((endBox?.x ?? 0) + (endBox?.width ?? 0)).toBeLessThan((rowBox?.x ?? 0) + (rowBox?.width ?? 0));
		await page.getByText("من", { exact: false }).first().waitFor();
		const row = item(page, "holiday.mp4");
		await expect.poll(() => row.getByRole("progressbar").getAttribute("aria-valuenow")).not.toBe("0");
		const [bar, track] = await Promise.all(["bar", "track"].map((part) => row.locator(`[part=${part}]`).boundingBox()));
		// The bar grows from the right.
		expect(Math.round((bar?.x ?? 0) + (bar?.width ?? 0))).toBe(Math.round((track?.x ?? 0) + (track?.width ?? 0)));
		await checkAccessible(page);
		await look(page, "uploading-arabic-narrow");
		gate.release();
		await page.evaluate(() => {
			document.documentElement.lang = "de";
			document.documentElement.dir = "ltr";
		});
		await page.getByRole("button", { name: "Videos auswählen" }).waitFor();
		await page.setViewportSize({ width: 320, height: 640 });
		for (const [lang, choose] of Object.entries({
			ar: "اختيار مقاطع فيديو",
			de: "Videos auswählen",
			es: "Elegir vídeos",
			fr: "Choisir des vidéos",
			en: "Choose videos",
		})) {
			await page.evaluate((language) => document.documentElement.setAttribute("lang", language), lang);
			await page.getByRole("button", { name: choose }).waitFor();
			// Nothing has to be scrolled sideways.
			expect([lang, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([lang, 320]);
		}
		await page.context().close();
	});

	it("shows each state wide, in light and in dark, without findings of axe", async () => {
		const page = await openUploader("multiple camera", { colorScheme: "dark" });
		await checkAccessible(page);
		await page.emulateMedia({ colorScheme: "dark" });
		await look(page, "empty-dark");
		gate.from = chunkSize;
		await choose(page, clip("a.mp4"), clip("b.mp4"), clip("c.mp4"), clip("d.mp4"));
		await item(page, "d.mp4").getByText("Waiting for its turn", { exact: false }).waitFor();
		await item(page, "b.mp4").getByRole("button", { name: "Pause: b.mp4" }).click();
		await checkAccessible(page);
		await expect.poll(() => page.getByRole("status").textContent()).toBe("4 videos were added.");
		await page.getByText("0 of 4 uploaded · ", { exact: false }).waitFor();
		await page.emulateMedia({ colorScheme: "dark" });
		await look(page, "list-dark");
		await page.emulateMedia({ colorScheme: "light" });
		await look(page, "list-light");
		await page.getByRole("button", { name: "Pause all" }).click();
		await item(page, "a.mp4").getByText("Paused", { exact: false }).waitFor();
		await item(page, "d.mp4").getByText("Paused · 0 KiB of 768 KiB").waitFor();
		gate.release();
		await page.getByRole("button", { name: "Resume all" }).click();
		await page.getByText("4 of 4 uploaded", { exact: true }).waitFor();
		await checkAccessible(page);
		await page.context().close();
	});

	it("shows what becomes of an uploaded video: how far it is, that it can be played, and why it can't", async () => {
		const page = await openUploader("multiple");
		await page.evaluate(() => {
			const uploader = document.querySelector("reelmill-uploader") as ReelmillUploader;
			const scope = globalThis as unknown as { videos: Record<string, object>; events: string[] };
			scope.videos = {};
			uploader.follow = async (id) => ({ id, outputs: null, state: "encoding", progress: 61, ...scope.videos[id] });
			for (const type of ["videoready", "videofail"] as const)
				uploader.addEventListener(type, ({ detail }) => scope.events.push(`${type} ${detail.item.file.name}`));
		});
		await choose(page, clip("good.mp4"));
		const [good, broken] = [item(page, "good.mp4"), item(page, "broken.mp4")];
		await good.getByText("Being prepared").waitFor();
		await choose(page, clip("broken.mp4"));
		await broken.getByText("Being prepared").waitFor();
		expect(await broken.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("61");
		await look(page, "following");
		await checkAccessible(page);
		const ids = [`video-${count - 1}`, `video-${count}`];
		await page.evaluate(([one = "", other = ""]) => {
			Object.assign((globalThis as unknown as { videos: object }).videos, {
				[one]: { state: "available", outputs: { renditions: [] } },
				[other]: { state: "failed", failure_reason: "invalid_media" },
			});
			// Whoever waits asks at once when the browser is online again.
			dispatchEvent(new Event("online"));
		}, ids);
		await good.getByText("Ready to play", { exact: false }).waitFor();
		await broken.getByText("This file is damaged, or is not a video.").waitFor();
		expect(await broken.getByRole("progressbar").isVisible()).toBe(false);
		// Of a video that failed nothing is green.
		const badge = (row: typeof good) => row.locator("[part=badge]").evaluate((each) => getComputedStyle(each).color);
		expect([await badge(good), await badge(broken)]).toEqual(["rgb(99, 201, 141)", "rgb(255, 156, 146)"]);
		await look(page, "followed");
		expect((await events(page)).slice(2).sort()).toEqual(["videofail broken.mp4", "videoready good.mp4"]);
		const isOfForm = () => document.querySelector("reelmill-uploader") as ReelmillUploader;
		expect(await page.evaluate(`(${isOfForm})().videoIds`)).toEqual(ids.slice(0, 1));

		// Where a person has colours of their own, what is done of the whole differs from the rest.
		await page.evaluate(() => {
			(document.querySelector("reelmill-uploader") as ReelmillUploader).follow = null;
		});
		gate.from = chunkSize;
		await choose(page, clip("sent.mp4"));
		const sent = item(page, "sent.mp4");
		await expect.poll(() => sent.getByRole("progressbar").getAttribute("aria-valuenow")).not.toBe("0");
		await page.emulateMedia({ forcedColors: "active" });
		const colours = () =>
			Promise.all(
				["bar", "track"].map((part) =>
					sent.locator(`[part=${part}]`).evaluate((each) => getComputedStyle(each).backgroundColor),
				),
			);
		expect(new Set(await colours()).size).toBe(2);
		await look(page, "followed-forced-colours");
		await page.context().close();
	});

	it("speaks a language that the page brings, and English where a word of it is missing", async () => {
		const page = await openUploader("multiple", { lang: "nl" });
		const guide = await readFile(new URL("../../../docs/guides/languages.md", import.meta.url), "utf8");
		const [, dutch] = /^export const dutch: .*? = (\{\n.*?\n\});$/ms.exec(guide) ?? [];
		await page.evaluate(`Object.assign(document.querySelector("reelmill-uploader"), { words: (${dutch}).uploader })`);
		await page.getByRole("button", { name: "Video's kiezen" }).waitFor();
		await page.evaluate(() => Object.assign(globalThis, { refusal: "upload_quota_exceeded" }));
		await choose(page, clip("a.mp4"));
		await item(page, "a.mp4").getByText("De limiet voor vandaag is bereikt. Probeer het morgen opnieuw.").waitFor();
		await page.evaluate(() => {
			const uploader = document.querySelector("reelmill-uploader") as ReelmillUploader;
			uploader.words = { drop: "Sleep video's hierheen", errors: { unknown: undefined } } as never;
		});
		await page.getByText("Sleep video's hierheen").waitFor();
		await item(page, "a.mp4").getByText("Today's upload limit is reached. Try again tomorrow.").waitFor();
		await page.getByRole("button", { name: "Choose videos" }).waitFor();
		await page.context().close();
	});

	it("keeps what a page set before the element was defined", async () => {
		const page = await openUploader();
		const kept = await page.evaluate(() => {
			const inert = document.implementation.createHTMLDocument();
			const early = inert.createElement("reelmill-uploader") as ReelmillUploader;
			const initiate = async () => ({}) as never;
			Object.assign(early, { words: { dropOne: "Put it here" }, initiate });
			document.body.append(early);
			return [early.shadowRoot?.textContent?.includes("Put it here"), early.initiate === initiate];
		});
		expect(kept).toEqual([true, true]);
		await page.context().close();
	});

	it("waits where the service takes no more, says until when, and sends one in the place of another", async () => {
		const page = await openUploader("multiple simultaneous=1");
		await page.addScriptTag({ url: "/sdk.js" });
		await page.evaluate((ticket) => {
			const uploader = document.querySelector("reelmill-uploader") as ReelmillUploader;
			const scope = globalThis as unknown as { sdk: PageSdk; until: string; backEnd(): Promise<never> };
			const { ReelmillError } = scope.sdk;
			uploader.initiate = async (file, _source, { replace }) => {
				if (file.name === "third.mp4") return Object.assign(await scope.backEnd(), { earlier_state: "expired" });
				if (file.name === "limited.mp4")
					throw new ReelmillError("rate_limited", { status: 429, extras: { retryAfter: scope.until } });
				if (file.name === "second.mp4" && !replace)
					throw new ReelmillError("concurrent_upload_exists", { status: 409, extras: { existing_video_id: "left" } });
				return scope.backEnd();
			};
			const left = { version: 2, videoId: "left", file: "1", ticket, began: Date.now() };
			localStorage.setItem("reelmill-upload:left", JSON.stringify(left));
		}, tus.ticket("left"));
		await choose(page, clip("second.mp4"), clip("third.mp4"));
		const second = item(page, "second.mp4");
		await second.getByText("Waiting for another upload of yours to finish.").waitFor();
		await checkAccessible(page);
		await look(page, "waiting-for-another");
		const button = page.getByRole("button", { name: "Send this one instead: second.mp4" });
		await page.evaluate(() => {
			const uploader = document.querySelector("reelmill-uploader") as ReelmillUploader;
			const { initiate } = uploader;
			// The service has thrown the other one away, by its token.
			uploader.initiate = (file, source, request) => initiate?.(file, source, { ...request, replace: true }) as never;
		});
		await button.click();
		await page.getByText("2 of 2 uploaded", { exact: true }).waitFor();
		await item(page, "third.mp4")
			.getByText("Started again, because the earlier upload had ended", { exact: false })
			.waitFor();
		expect(await page.evaluate(() => localStorage.length)).toBe(0);

		const until = new Date(Date.now() + 2 * 86_400_000);
		await page.evaluate((time) => Object.assign(globalThis, { until: time }), until.toISOString());
		await choose(page, clip("limited.mp4"));
		const limited = item(page, "limited.mp4");
		const time = await page.evaluate(
			(at) => new Date(at).toLocaleString("en", { timeStyle: "short", dateStyle: "medium" }),
			until.toISOString(),
		);
		await limited.getByText(`The upload limit is reached. This one starts by itself: ${time}.`).waitFor();
		await page.setViewportSize({ width: 360, height: 640 });
		await look(page, "waiting-until-narrow");
		await page.emulateMedia({ colorScheme: "dark" });
		await look(page, "waiting-until-dark");
		await checkAccessible(page);
		expect(await events(page)).toEqual(["uploaddone", "uploaddone"]);
		await page.context().close();
	});

	it.each([
		["asks before the page is left while a file is sent", "", true],
		["asks nothing with leave-unasked", "leave-unasked", false],
	])("%s", async (_, attributes, asks) => {
		const page = await openUploader(attributes);
		const isAsked = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
		expect(await isAsked()).toBe(false);
		gate.from = chunkSize;
		await choose(page, clip());
		await item(page, "holiday.mp4").getByRole("progressbar").waitFor();
		expect(await isAsked()).toBe(asks);
		gate.release();
		await item(page, "holiday.mp4").getByText("Uploaded", { exact: false }).waitFor();
		expect(await isAsked()).toBe(false);
		await page.context().close();
	});

	it("shows the uploads of an uploader that the page has made, which outlives it", async () => {
		const page = await openUploader("multiple");
		gate.from = chunkSize;
		await choose(page, clip("inside.mp4"));
		await item(page, "inside.mp4").getByRole("progressbar").waitFor();
		gate.release();
		await item(page, "inside.mp4").getByText("Uploaded", { exact: false }).waitFor();
		await page.addScriptTag({ url: "/sdk.js" });
		await page.evaluate((size) => {
			const scope = globalThis as unknown as { sdk: PageSdk; outer: Uploader; backEnd(): Promise<never> };
			scope.outer = scope.sdk.createUploader({ initiate: () => scope.backEnd(), chunkSize: size });
			scope.outer.add([new File(["bytes"], "outside.mp4", { type: "video/mp4" })]);
			const element = document.querySelector("reelmill-uploader") as ReelmillUploader;
			element.uploader = scope.outer;
		}, chunkSize);
		await item(page, "outside.mp4").getByText("Uploaded", { exact: false }).waitFor();
		expect(await item(page, "inside.mp4").count()).toBe(0);
		gate.from = chunkSize;
		await choose(page, clip("longer.mp4"));
		await item(page, "longer.mp4").getByRole("progressbar").waitFor();
		const statuses = () =>
			page.evaluate(() =>
				(globalThis as unknown as { outer: Uploader }).outer.state.get().items.map(({ state }) => state.status),
			);
		await page.evaluate(() => document.querySelector("reelmill-uploader")?.remove());
		await expect.poll(statuses).toEqual(["done", "uploading"]);
		gate.release();
		await expect.poll(statuses).toEqual(["done", "done"]);
		// It is there again for another element.
		await page.evaluate(() => {
			const element = document.createElement("reelmill-uploader");
			element.multiple = true;
			const scope = globalThis as unknown as { outer: Uploader; events: string[] };
			element.addEventListener("uploaddone", () => scope.events.push("again"));
			element.uploader = scope.outer;
			document.querySelector("main")?.append(element);
		});
		await page.getByText("2 of 2 uploaded", { exact: true }).waitFor();
		await page.getByRole("button", { name: "Remove from the list: longer.mp4" }).click();
		await expect.poll(statuses).toEqual(["done"]);
		// What was done before an element showed it is no event of that element.
		expect(await events(page)).not.toContain("again");
		await page.context().close();
	});
});
