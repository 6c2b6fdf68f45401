import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { asksToClose } from "./support/asks-to-close.ts";
import { consoleSecret, openConsole } from "./support/console.ts";
import { look } from "./support/look.ts";

const console = openConsole();
const placeOf = (page: Page) => page.url().slice(console.url.length);
/** Whether the result that the palette's field speaks of is on the page. */
const isActiveThere = () => {
	const active = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
	return document.getElementById(active) !== null;
};
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

describe("signing in", () => {
	it("refuses a wrong secret with what to do, and comes back to the same place", async () => {
		const page = await console.open("/d/default/videos?state=failed");
		await heading(page, "Sign in").waitFor();
		await checkAccessible(page);
		await look(page, "sign-in");
		await page.getByLabel("Console secret").fill("not the secret");
		await page.keyboard.press("Enter");
		await page.getByRole("alert").getByText("The console secret is wrong.").waitFor();
		await page.getByRole("button", { name: "Copy request id" }).click();
		expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\S+$/);
		await page.getByLabel("Console secret").fill(consoleSecret);
		await page.keyboard.press("Enter");
		await heading(page, "Videos").waitFor();
		expect(placeOf(page)).toBe("/console/d/default/videos?state=failed");
		await page.context().close();
	});

	it("leads nowhere but into the console afterwards", async () => {
		for (const back of ["https://elsewhere.test/", "//elsewhere.test/"]) {
			const page = await console.open(`/sign-in?back=${encodeURIComponent(back)}`);
			await page.getByLabel("Console secret").fill(consoleSecret);
			await page.keyboard.press("Enter");
			await page.locator("main#main").waitFor();
			expect(page.url().startsWith(`${console.url}/console/`), back).toBe(true);
			await page.context().close();
		}
	});

	it("takes the link that the server prints, once, and keeps its token in no address", async () => {
		const path = console.signInLink.slice(`${console.url}/console`.length);
		const page = await console.open(path);
		await page.locator("main#main").waitFor();
		expect(page.url()).not.toContain("#");
		await page.context().close();
		const second = await console.open(path);
		await second.getByRole("alert").getByText("A sign-in link works once").waitFor();
		await checkAccessible(second);
		await look(second, "sign-in-link-used");
		await second.context().close();
	});

	it("ends with signing out, also for the browser's way back", async () => {
		const page = await console.signIn("/d/default/videos");
		await page.getByRole("button", { name: "Account and appearance" }).click();
		await page.getByRole("menuitem", { name: "Sign out" }).click();
		await heading(page, "Sign in").waitFor();
		await page.goBack();
		await page.getByLabel("Console secret").waitFor();
		await page.context().close();
	});

	it("is asked for again once the session has ended elsewhere, and goes on where the person was", async () => {
		const page = await console.signIn("/operator/queue");
		await heading(page, "Queue").waitFor();
		await page.context().request.delete(`${console.url}/console/v1/session`, { headers: { "x-service-console": "1" } });
		// The page asks for its session again when its window is looked at.
		await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
		await page.getByLabel("Console secret").fill(consoleSecret);
		await page.keyboard.press("Enter");
		await heading(page, "Queue").waitFor();
		expect(placeOf(page)).toBe("/console/operator/queue");
		await page.context().close();
	});
});

describe("the frame", () => {
	it("is worked by the keyboard alone: the skip link, a link of the side bar, the heading of the view", async () => {
		const page = await console.signIn("/d/default/videos");
		await page.reload();
		await heading(page, "Videos").waitFor();
		await page.keyboard.press("Tab");
		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
		await page.keyboard.press("Enter");
		expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
		await page.getByRole("link", { name: "Webhooks" }).focus();
		await page.keyboard.press("Enter");
		await heading(page, "Webhooks").waitFor();
		await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
		expect(await page.title()).toBe("Webhooks · Reelmill");
		await page.goBack();
		await heading(page, "Videos").waitFor();
		await page.context().close();
	});

	it("goes anywhere from the palette", async () => {
		const page = await console.signIn("/d/default");
		const type = async (text: string) => {
			await page.keyboard.press("Control+k");
			await page.getByRole("searchbox", { name: "Search or go to" }).waitFor();
			await page.keyboard.type(text);
		};
		await type("fail reas");
		await expect.poll(() => page.evaluate(isActiveThere)).toBe(true);
		await checkAccessible(page);
		await look(page, "palette");
		await page.keyboard.press("Enter");
		await heading(page, "Failures").waitFor();
		await type("user-17/clip");
		await page.getByRole("menuitem", { name: "Videos that begin with user-17/clip" }).click();
		await heading(page, "Videos").waitFor();
		expect(placeOf(page)).toBe("/console/d/default/videos?search=user-17%2Fclip");
		await type("0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11");
		await page.keyboard.press("Enter");
		await expect.poll(() => placeOf(page)).toBe("/console/d/default/videos/0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11");
		const { video } = await console.tenant.call("createVideo", {
			body: { content_type: "video/mp4", file_size: 1, external_ref: "lecture 4" },
		});
		await type("LECTURE");
		await page.getByRole("menuitem", { name: "Video lecture 4" }).click();
		await expect.poll(() => placeOf(page)).toBe(`/console/d/default/videos/${video.id}`);
		await type("nothing has this name");
		await page.keyboard.press("Escape");
		await page.getByRole("searchbox", { name: "Search or go to" }).waitFor({ state: "detached" });
		await page.context().close();
	});

	it("has in the palette what was typed before its code was there, and says if that can't be loaded", async () => {
		const page = await console.signIn("/d/default");
		const code = /palette-[\w-]+\.js/;
		await page.route(code, (route) => route.fulfill({ status: 404 }));
		const opener = page.getByRole("button", { name: "Search or go to" });
		await opener.focus();
		await page.keyboard.press("Enter");
		const dialog = page.getByRole("dialog", { name: "Search or go to" });
		await dialog.getByRole("alert").getByText("Try again. If it stays, reload the page.").waitFor();
		await checkAccessible(page);
		await look(page, "palette-not-loaded");
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "detached" });
		expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
		await page.unroute(code);
		const isAsked = Promise.withResolvers<void>();
		await page.route(code, async (route) => {
			await isAsked.promise;
			await route.continue();
		});
		await page.keyboard.press("Control+k");
		await page.keyboard.type("failx");
		await page.keyboard.press("Backspace");
		await look(page, "palette-waits");
		isAsked.resolve();
		await page.keyboard.type("ures", { delay: 20 });
		await dialog.getByRole("menuitem", { name: "Failures Operator" }).waitFor();
		expect(await page.getByRole("searchbox", { name: "Search or go to" }).inputValue()).toBe("failures");
		await page.context().close();
	});

	it("fits a phone: the menu is a drawer, and nothing is wider than the screen", async () => {
		const page = await console.signIn("/operator/domains", { viewport: { width: 390, height: 844 } });
		await page.getByRole("button", { name: "Open the menu" }).click();
		await page.getByRole("dialog", { name: "Menu" }).waitFor();
		await checkAccessible(page);
		await look(page, "menu");
		await page.getByRole("dialog").getByRole("link", { name: "Keys" }).click();
		await heading(page, "Keys").waitFor();
		await page.getByRole("dialog").waitFor({ state: "detached" });
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
		await page.setViewportSize({ width: 800, height: 700 });
		expect((await page.getByRole("navigation", { name: "Views" }).boundingBox())?.width).toBeLessThan(60);
		await checkAccessible(page);
		await page.context().close();
	});

	it("keeps the appearance that was chosen", async () => {
		const page = await console.signIn("/d/default", { colorScheme: "light" });
		const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
		expect(await theme()).toBe("light");
		await page.getByRole("button", { name: "Account and appearance" }).click();
		await checkAccessible(page);
		await page.emulateMedia({ colorScheme: "light" });
		await page.getByRole("menuitem", { name: "Dark" }).click();
		expect(await theme()).toBe("dark");
		await page.reload();
		await heading(page, "Overview").waitFor();
		expect(await theme()).toBe("dark");
		await page.context().close();
	});

	it("says that a page or a domain isn't there, and finds no request to another host", async () => {
		const page = await console.signIn("/d/default/nothing");
		await heading(page, "There is no such page").waitFor();
		await checkAccessible(page);
		await page.goto(`${console.url}/console/d/<script>window.taken=1<%2Fscript>/videos`);
		await page.getByText('You see no domain "<script>window.taken=1</script>"').waitFor();
		expect(page.findings.unexpected()).toEqual([]);
		await page.context().close();
	});
});

describe("a view that can't be loaded", () => {
	it("has its title in the frame while the server is away, and comes by itself when it is back", async () => {
		const page = await console.signIn("/d/default/videos");
		await heading(page, "Videos").waitFor();
		await console.restart(async () => {
			await page.getByRole("link", { name: "Webhooks" }).click();
			await heading(page, "Webhooks").waitFor();
			await page.getByText("The server does not answer.").waitFor();
			expect(await page.getByRole("navigation", { name: "Views" }).count()).toBe(1);
			await look(page, "view-waits");
		});
		await page.getByRole("button", { name: "Send test event" }).waitFor();
		await page.context().close();
	});

	it("is loaded with the new version of the page, once, and after the uploads that run", async () => {
		const page = await console.signIn("/d/default/upload");
		await heading(page, "Upload").waitFor();
		const [isSent, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		await page.route("**/uploads/**", async (route) => {
			if (route.request().method() === "PATCH") {
				isSent.resolve();
				await isHeld.promise;
			}
			await route.continue();
		});
		await page.locator("input[type=file]").setInputFiles({
			name: "clip.mp4",
			mimeType: "video/mp4",
			buffer: Buffer.from("not much of a video"),
		});
		const part = /\/console\/assets\/upload-[\w-]+\.js/;
		await page.route(part, (route) => route.fulfill({ status: 404 }));
		await page.getByRole("button", { name: "Upload 1 video" }).click();
		await page.getByRole("alert").getByText("Your files are still here.").waitFor();
		expect(await asksToClose(page)).toBe(true);
		await look(page, "upload-not-loaded");
		await page.unroute(part);
		await page.getByRole("button", { name: "Upload 1 video" }).click();
		await isSent.promise;
		let loads = 0;
		await page.route("**/console/", async (route) => {
			const answer = await route.fetch();
			await route.fulfill({
				response: answer,
				body: (await answer.text()).replace(/index-[\w-]+\.js/, "index-new.js"),
			});
		});
		await page.route("**/console/d/**", (route) => {
			loads += 1;
			return route.continue();
		});
		const files = /\/console\/assets\/view-[\w-]+\.js/;
		await page.route(files, (route) => route.fulfill({ status: 404 }));
		await page.getByRole("link", { name: "Webhooks" }).click();
		await heading(page, "Webhooks").waitFor();
		await page.getByText("There is a new version of this page.").waitFor();
		await look(page, "view-of-a-new-version");
		expect(loads).toBe(0);
		isHeld.resolve();
		await page.getByRole("alert").getByText("Try again. If it stays, reload the page.").waitFor();
		expect(loads).toBe(1);
		await heading(page, "Webhooks").waitFor();
		await checkAccessible(page);
		await page.unroute(files);
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByRole("button", { name: "Send test event" }).waitFor();
		await page.context().close();
	});
});

it("says that the server is gone, keeps what it shows, and goes on when it is back", async () => {
	const page = await console.signIn("/operator/domains");
	await heading(page, "Domains").waitFor();
	await console.restart(async () => {
		await page.getByText("The server does not answer.").waitFor();
		await heading(page, "Domains").waitFor();
		await page.getByText("not reachable").waitFor();
		await checkAccessible(page);
		await look(page, "server-gone");
	});
	await page.getByText("The server does not answer.").waitFor({ state: "detached" });
	await page.getByText("healthy").waitFor();
	await page.context().close();
});
