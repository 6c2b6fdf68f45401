import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeClip } from "../../browser/test/support/clip.ts";
import { deliveryServer } from "../../browser/test/support/delivery-server.ts";
import { checkAccessible } from "../../console/test/support/accessible.ts";
import { captionsPlaylist, captionsTags } from "../../contracts/src/captions.ts";
import type { ReelmillPlayer } from "../src/player.ts";
import { type ElementsForTests, focused, look, openElements } from "./support/open-elements.ts";

let folder = "";
const accepted = new Set(["k1"]);
let delivery: Awaited<ReturnType<typeof deliveryServer>>;
let elements: ElementsForTests;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-player-"));
	delivery = await deliveryServer(folder, accepted);
	[elements] = await Promise.all([openElements([delivery.origin]), makeClip(folder)]);
	await writeFile(join(folder, "captions.vtt"), "WEBVTT\n\n00:00.000 --> 00:20.000\nHello, captions.\n");
	const cue = "WEBVTT\n\n00:00:00.000 --> 00:00:08.000\nog.jpg#xywh=0,0,160,90\n";
	await writeFile(join(folder, "storyboard.vtt"), cue);
	const chapter = "Intro &amp;amp; &lt;i&gt;more&lt;/i&gt;";
	const text = `WEBVTT\n\n00:00:00.000 --> 00:00:04.000\n${chapter}\n\n00:00:04.000 --> 00:00:08.000\nThe harbour\n`;
	await writeFile(join(folder, "chapters.vtt"), text);
	// A second, smaller quality, so that there is something to choose.
	const master = await readFile(join(folder, "master.m3u8"), "utf8");
	const small = /#EXT-X-STREAM-INF[^\n]*avc1[^\n]*\nh264.m3u8\n/.exec(master)?.[0] ?? "";
	await writeFile(join(folder, "master.m3u8"), master + small.replace("320x180", "160x90").replace("900000", "300000"));
	// A second sound, and both of more channels, as a source of 5.1 has them.
	const [sound = ""] = /#EXT-X-MEDIA:TYPE=AUDIO[^\n]*\n/.exec(master) ?? [];
	const french = sound.replace('NAME="sound",DEFAULT=YES', 'NAME="Français",LANGUAGE="fr",DEFAULT=NO');
	const surround = (sound + french).replaceAll('"sound"', '"surround"').replace('NAME="surround"', 'NAME="sound"');
	const twice = small.replace('AUDIO="sound"', 'AUDIO="surround"').replace("900000", "1200000");
	await writeFile(join(folder, "sounds.m3u8"), master.replace(sound, sound + french + surround) + twice);
});
afterAll(async () => {
	await elements?.close();
	await delivery?.[Symbol.asyncDispose]();
	await rm(folder, { recursive: true, force: true });
	expect(elements?.unexpected).toEqual([]);
});

const rendition = { name: "h264_180", codec: "h264", width: 320, height: 180, bitrate: 900_000 };
const video = (outputs: object = {}) => ({
	id: "video-1",
	visibility: "private",
	duration_seconds: 8,
	outputs: {
		hls_url: `${delivery.origin}/master.m3u8`,
		dash_url: null,
		mp4_url: `${delivery.origin}/web.mp4`,
		thumbnail_url: `${delivery.origin}/og.jpg`,
		storyboard_url: `${delivery.origin}/storyboard.vtt`,
		chapters_url: null,
		web_mp4_outro_id: null,
		renditions: [rendition],
		...outputs,
	},
});

async function openPlayer(
	options: Parameters<ElementsForTests["open"]>[1] = {},
	outputs: object = {},
	playerOptions: ReelmillPlayer["playerOptions"] = {
		captions: [{ url: `${delivery.origin}/captions.vtt`, language: "en" }],
	},
): Promise<Page> {
	const page = await elements.open('<reelmill-player muted title="Holiday" codec="h264"></reelmill-player>', options);
	await page.evaluate(
		([given, options]) => {
			const player = document.querySelector("reelmill-player") as ReelmillPlayer;
			player.addEventListener("playerready", () => {
				player.dataset["ready"] = `${player.dataset["ready"] ?? ""}once `;
			});
			player.key = async () => ({ playback_key: "k1", expires_at: new Date(Date.now() + 3_600_000).toISOString() });
			player.playerOptions = options as ReelmillPlayer["playerOptions"];
			player.video = given as ReelmillPlayer["video"];
		},
		[video(outputs), playerOptions] as const,
	);
	return page;
}

const playing = (page: Page) =>
	page.evaluate(() => {
		const { currentTime, paused, player } = document.querySelector("reelmill-player") as ReelmillPlayer;
		return { currentTime, paused, ...player?.state.get() };
	});

/** What is read aloud of the controls, in all their shadow roots. */
const labels = (page: Page) =>
	page.evaluate(() => {
		const within = (root: ParentNode): string[] =>
			[...root.querySelectorAll("*")].flatMap((element) => [
				...(element.ariaLabel ? [element.ariaLabel] : []),
				...(element.shadowRoot ? within(element.shadowRoot) : []),
			]);
		const controls = document.querySelector("reelmill-player")?.shadowRoot?.querySelector("media-controller");
		return controls ? within(controls) : [];
	});

describe("the player", () => {
	it("offers several sounds, and each quality once though the sounds are there as 5.1 as well", async () => {
		const page = await openPlayer({}, { hls_url: `${delivery.origin}/sounds.m3u8` });
		await expect.poll(async () => (await playing(page)).status).toBe("ready");
		await page.getByRole("button", { name: "Play" }).first().click();
		const state = () =>
			page.evaluate(() => {
				const { player } = document.querySelector("reelmill-player") as ReelmillPlayer;
				const { sounds = [], sound, levels = [] } = player?.state.get() ?? {};
				const heard = player?.hls?.audioTracks[player.hls.audioTrack];
				const names = sounds.map(({ label }) => label);
				return { names, sound, heights: levels.map(({ height }) => height), heard: `${heard?.groupId} ${heard?.name}` };
			});
		const before = { names: ["sound", "Français"], sound: 0, heights: [180, 360], heard: "sound sound" };
		await expect.poll(state).toEqual(before);
		await page.locator("media-settings-menu-button").focus();
		await page.keyboard.press("Enter");
		await page.getByRole("menuitem", { name: "Sound" }).first().click();
		await look(page, "player-sound");
		await checkAccessible(page);
		await page.getByRole("menuitemradio", { name: "Français" }).click();
		await expect.poll(state).toEqual({ ...before, sound: 1, heard: "sound Français" });

		// Safari's AirPlay plays the playlist beside the Media Source, and sends no key.
		const beside = () =>
			page.evaluate(() => {
				const { media } = document.querySelector("reelmill-player") as ReelmillPlayer;
				return [media.disableRemotePlayback, ...[...media.querySelectorAll("source")].map(({ src }) => src)];
			});
		expect(await beside()).toEqual([true]);
		// In a narrow player the steps of ten seconds stand beside the picture's button once it has played.
		const hasStarted = () => page.locator("media-controller").evaluate((shown) => "started" in shown.dataset);
		expect(await hasStarted()).toBe(true);
		await page.evaluate(() => {
			// hls.js appends a source of its own for a managed Media Source.
			Object.assign(globalThis, { WebKitPlaybackTargetAvailabilityEvent: class {}, ManagedMediaSource: MediaSource });
			const player = document.querySelector("reelmill-player") as ReelmillPlayer;
			const outputs = { ...player.video?.outputs, thumbnail_url: null };
			player.video = { ...player.video, outputs, id: "video-2", visibility: "public" } as ReelmillPlayer["video"];
			player.preload = "auto";
		});
		await expect.poll(beside).toEqual([false, expect.stringMatching(/^blob:/), `${delivery.origin}/sounds.m3u8`]);
		expect(await hasStarted()).toBe(false);
		await page.evaluate(() => {
			(document.querySelector("reelmill-player") as ReelmillPlayer).video = null;
		});
		await expect.poll(async () => (await beside()).slice(1)).toEqual([]);
		await page.close();
	});

	it("is used by keyboard alone: play, pause, seek, captions, quality", async () => {
		const page = await openPlayer();
		await expect.poll(async () => (await playing(page)).status).toBe("ready");
		await look(page, "player-ready");
		await checkAccessible(page);
		// Where a person has colours of their own, the signs and the time line differ from the bar under them.
		await page.emulateMedia({ forcedColors: "active" });
		const likeTheBar = () =>
			page.evaluate(() => {
				const controls = document.querySelector("reelmill-player")?.shadowRoot;
				const of = (selector: string, within: ParentNode | null | undefined = controls) =>
					getComputedStyle(within?.querySelector(selector) as Element);
				const range = controls?.querySelector("media-time-range")?.shadowRoot;
				const colours = {
					sign: of("svg", controls?.querySelector("media-play-button")?.shadowRoot).fill,
					track: of("#track", range).borderTopColor,
					thumb: of("#thumb", range).backgroundColor,
				};
				const bar = of("[part=control-bar]").backgroundColor;
				return Object.entries(colours).flatMap(([part, colour]) => (colour === bar ? [part] : []));
			});
		await expect.poll(likeTheBar).toEqual([]);
		await look(page, "player-forced-colours");
		await page.emulateMedia({ forcedColors: "none" });
		await expect
			.poll(async () => {
				await page.keyboard.press("Tab");
				return focused(page);
			})
			.toBe("Play");
		// Slowly, so that a busy machine doesn't come to the end of the clip before the last key is pressed.
		await page.evaluate(() => {
			(document.querySelector("reelmill-player") as ReelmillPlayer).playbackRate = 0.125;
		});
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await playing(page)).currentTime).toBeGreaterThan(0.1);
		await look(page, "player-playing");
		await page.keyboard.press("k");
		await expect.poll(async () => (await playing(page)).paused).toBe(true);
		await page.keyboard.press("ArrowLeft");
		await expect.poll(async () => (await playing(page)).currentTime).toBe(0);
		await page.keyboard.press("ArrowRight");
		await expect.poll(async () => (await playing(page)).currentTime).toBeGreaterThan(1);

		// The place over the controls in which captions stand while these are shown.
		const box = await page.locator("reelmill-player").boundingBox();
		const place = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2 - 40, y: (box?.y ?? 0) + (box?.height ?? 0) - 92 };
		const overControls = () => page.screenshot({ clip: { ...place, width: 80, height: 20 } });
		await page.locator("media-captions-button").focus();
		const without = await overControls();
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await playing(page)).shownCaptions).toBe(0);
		await look(page, "player-captions");
		await expect.poll(async () => (await overControls()).equals(without)).toBe(false);

		await page.locator("media-settings-menu-button").focus();
		await page.keyboard.press("Enter");
		await page.getByRole("menuitem", { name: "Quality" }).waitFor();
		await look(page, "player-settings");
		await checkAccessible(page);
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByRole("menuitemradio", { name: "90p" }).waitFor();
		await look(page, "player-quality");
		await checkAccessible(page);
		expect(await page.getByRole("menuitem", { name: "Quality: back to the settings" }).count()).toBe(1);
		await page.getByRole("menuitemradio", { name: "90p" }).focus();
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await playing(page)).chosenLevel).toBe(90);

		// The choice leads back to the settings.
		await page.keyboard.press("Escape");
		await page.getByRole("menuitem", { name: "Speed" }).waitFor({ state: "hidden" });
		for (const audioOnly of [true, false]) {
			await page.locator("media-settings-menu-button").focus();
			await page.keyboard.press("Enter");
			await expect.poll(() => focused(page)).toContain("Speed");
			await page.keyboard.press("End");
			await expect.poll(() => focused(page)).toBe("Sound only");
			await page.keyboard.press("Enter");
			await expect.poll(async () => (await playing(page)).audioOnly).toBe(audioOnly);
			await expect.poll(async () => (await playing(page)).status).toBe("ready");
		}
		expect(await page.locator("reelmill-player").getAttribute("data-ready")).toBe("once ");
		await page.context().close();
	});

	it("names captions in its menu by the labels of the playlist, and shows what was chosen by keyboard", async () => {
		const master = await readFile(join(folder, "master.m3u8"), "utf8");
		const tracks = ["Deutsch (Österreich)", "Deutsch"].map((title) => ({
			...{ path: "captions/2.vtt", language: "de", title, isSpoken: true, tellsSounds: false, isForced: false },
		}));
		const tags = captionsTags(tracks).map((tag) => tag.replace(/URI="[^"]*"/, 'URI="labelled.m3u8"'));
		const lines = master.split("\n").filter((line) => !line.includes("TYPE=SUBTITLES"));
		const first = lines.findIndex((line) => line.startsWith("#EXT-X-STREAM-INF"));
		const listed = [...lines.slice(0, first), ...tags, ...lines.slice(first)].map((line) =>
			line.startsWith("#EXT-X-STREAM-INF") ? `${line.replace(/,SUBTITLES="[^"]*"/, "")},SUBTITLES="captions"` : line,
		);
		await writeFile(join(folder, "labels.m3u8"), listed.join("\n"));
		await writeFile(join(folder, "labelled.m3u8"), captionsPlaylist(8, "captions.vtt"));
		const page = await openPlayer({}, { hls_url: `${delivery.origin}/labels.m3u8` }, {});
		await expect.poll(async () => (await playing(page)).status).toBe("ready");
		await page.locator("reelmill-player [part~=start]").click();
		await expect.poll(async () => (await playing(page)).currentTime).toBeGreaterThan(0);
		await page.evaluate(() => (document.querySelector("reelmill-player") as ReelmillPlayer).pause());
		await page.locator("media-settings-menu-button").focus();
		await page.keyboard.press("Enter");
		await expect
			.poll(async () => {
				await page.keyboard.press("ArrowDown");
				return focused(page);
			})
			.toContain("Captions");
		await page.keyboard.press("Enter");
		const item = (name: string) => page.getByRole("menuitemradio", { name, exact: true });
		await item("Deutsch (Österreich)").waitFor();
		await item("Deutsch").waitFor();
		await look(page, "player-captions-menu");
		await checkAccessible(page);
		await expect
			.poll(async () => {
				await page.keyboard.press("ArrowDown");
				return focused(page);
			})
			.toContain("Deutsch (Österreich)");
		await page.keyboard.press("Enter");
		const shown = async () => {
			const { captions = [], shownCaptions } = await playing(page);
			return captions[shownCaptions ?? -1]?.label;
		};
		await expect.poll(shown).toBe("Deutsch (Österreich)");
		const cues = () =>
			page
				.locator("reelmill-player video")
				.evaluate((media: HTMLVideoElement) =>
					[...media.textTracks].flatMap((track) => (track.mode === "showing" ? [track.cues?.length] : [])),
				);
		await expect.poll(cues).toEqual([1]);
		await page.context().close();
	});

	it("offers chapters, those of the file or of the page, in a menu and on the time line, and checks the one that plays", async () => {
		const chapters =
			'[{"title":"The harbour","start":4},{"title":"Intro &amp; <i>more</i>","start":0},{"title":"","start":6}]'.replaceAll(
				'"',
				"&quot;",
			);
		for (const [name, isOfPage, options] of [
			["player-chapters", true, { reducedMotion: "reduce" as const }],
			[
				"player-chapters-narrow-dark-rtl",
				false,
				{
					dir: "rtl",
					viewport: { width: 360, height: 480 },
					colorScheme: "dark" as const,
					reducedMotion: "reduce" as const,
				},
			],
		] as const) {
			const page = await openPlayer(options, { chapters_url: `${delivery.origin}/chapters.vtt` });
			await expect.poll(async () => (await playing(page)).status).toBe("ready");
			await page.evaluate(
				(json) => {
					if (json !== null) document.querySelector("reelmill-player")?.setAttribute("chapters", json);
				},
				isOfPage ? chapters.replaceAll("&quot;", '"') : null,
			);
			const shown = () =>
				page.evaluate(() =>
					(document.querySelector("reelmill-player") as ReelmillPlayer).chapters.map(({ title }) => title),
				);
			const intro = "Intro &amp; <i>more</i>";
			await expect.poll(shown).toEqual(isOfPage ? ["The harbour", intro, ""] : [intro, "The harbour"]);
			await page.locator("reelmill-player [part~=start]").click();
			await expect.poll(async () => (await playing(page)).currentTime).toBeGreaterThan(0);
			await page.evaluate(() => (document.querySelector("reelmill-player") as ReelmillPlayer).pause());
			await expect.poll(() => page.locator("media-time-range #segments-clipping rect").count()).toBe(isOfPage ? 3 : 2);
			await page.locator("media-settings-menu-button").focus();
			await page.keyboard.press("Enter");
			await expect.poll(() => focused(page)).toContain("Chapters");
			await page.keyboard.press("Enter");
			const item = (title: string) => page.getByRole("menuitemradio", { name: title });
			await item("The harbour").waitFor();
			await item("The harbour").hover();
			await look(page, name);
			await checkAccessible(page);
			if (isOfPage) expect(await item("Chapter 3").innerText()).toContain("Chapter 3");
			expect(await item("Intro").getAttribute("aria-checked")).toBe("true");
			await expect
				.poll(async () => {
					await page.keyboard.press("ArrowDown");
					return focused(page);
				})
				.toContain("The harbour");
			await page.keyboard.press(isOfPage ? "Enter" : "Space");
			await expect.poll(async () => (await playing(page)).currentTime).toBe(4);
			// The menu has closed, or closes: what is hidden has no role.
			const hidden = page.locator("media-chrome-menu-item", { hasText: "The harbour" });
			await expect.poll(() => hidden.getAttribute("aria-checked")).toBe("true");

			await page.keyboard.press("Escape");
			await page.keyboard.press("Escape");
			await page.getByRole("button", { name: "seek back 10 seconds" }).click();
			await expect.poll(async () => (await playing(page)).currentTime).toBe(0);
			await page.getByRole("button", { name: "seek forward 10 seconds" }).click();
			await page.evaluate(() => (document.querySelector("reelmill-player") as ReelmillPlayer).play());
			const again = page.getByRole("button", { name: "Play again" });
			await again.waitFor();
			await look(page, `${name}-ended`);
			await checkAccessible(page);
			await again.click();
			await again.waitFor({ state: "hidden" });
			await expect.poll(async () => (await playing(page)).currentTime).toBeLessThan(7);
			await page.context().close();
		}
	});

	it("loads a little before it is played, and the pictures over the time line when someone points at it", async () => {
		delivery.requests.length = 0;
		const page = await openPlayer();
		await expect.poll(async () => (await playing(page)).status).toBe("ready");
		const paths = () => delivery.requests.map(({ path }) => path);
		expect(paths()).not.toContain("/storyboard.vtt");
		expect(paths()).not.toContain("/captions.vtt");
		// The pointer stops at the edge, before there is a picture.
		await page.locator("media-time-range").hover({ position: { x: 4, y: 10 } });
		await expect.poll(async () => (await playing(page)).storyboard?.length).toBe(1);
		const preview = page.locator("media-preview-thumbnail");
		await expect.poll(async () => (await preview.boundingBox())?.width).toBeGreaterThan(80);
		const left = async () => (await page.locator("reelmill-player").boundingBox())?.x ?? 0;
		await expect.poll(async () => ((await preview.boundingBox())?.x ?? 0) - (await left())).toBeGreaterThanOrEqual(0);
		expect((await playing(page)).currentTime).toBe(0);
		await checkAccessible(page);
		await look(page, "player-preview");
		await page.context().close();
	});

	it("says in plain words, in the page's language, why it does not play, and tries again", async () => {
		accepted.delete("k1");
		const page = await openPlayer({ lang: "ar", dir: "rtl", viewport: { width: 360, height: 480 } });
		await page.getByText("لم يعد بإمكانك مشاهدة هذا الفيديو.").waitFor();
		await look(page, "player-revoked-arabic-narrow");
		await checkAccessible(page);
		accepted.add("k1");
		await page.getByRole("button", { name: "المحاولة مجددًا" }).click();
		await expect.poll(async () => (await playing(page)).error).toBeNull();
		await page.getByRole("alert").waitFor({ state: "hidden" });
		await page.getByRole("button", { name: "تشغيل", exact: true }).first().click();
		await expect.poll(async () => (await playing(page)).currentTime).toBeGreaterThan(0.3);
		await checkAccessible(page);
		await expect.poll(() => labels(page)).not.toEqual([]);
		await expect
			.poll(async () => (await labels(page)).filter((label) => /[a-z]/i.test(label.replace("AirPlay", ""))))
			.toEqual(["Holiday"]);
		await look(page, "player-arabic-narrow");
		await page.locator("media-settings-menu-button").click();
		await page.getByRole("menuitem", { name: "السرعة", exact: false }).first().waitFor();
		await checkAccessible(page);
		await look(page, "player-arabic-settings");
		await page.context().close();
	});

	it("asks the back end that the README's page names", async () => {
		const readme = await readFile(new URL("./readme-example.html", import.meta.url), "utf8");
		const asked: unknown[] = [];
		const page = await elements.open("", {}, readme, (call) => {
			asked.push(call);
			const { action } = call as { action: string };
			if (action === "playback_key") return { playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" };
			return { ...video(), state: "available" };
		});
		await expect.poll(async () => (await playing(page)).status).toBe("ready");
		expect(asked).toContainEqual(expect.objectContaining({ action: "video" }));
		expect(asked).toContainEqual(expect.objectContaining({ action: "playback_key", video_id: "video-1" }));
		await page.context().close();
	});

	it("waits for a video on its way without a warning, goes on by itself, and offers no second try where none can help", async () => {
		let state = "encoding";
		const body = '<reelmill-player back-end="/video" video-id="video-1"></reelmill-player>';
		const page = await elements.open(body, {}, undefined, (call) => {
			if ((call as { action: string }).action === "playback_key")
				return { playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" };
			if (state === "available") return { ...video(), state };
			return { id: "video-1", state, visibility: "private", outputs: null };
		});
		const shown = () => {
			const alert = page.getByRole("alert");
			return Promise.all([
				alert.locator("p").innerText(),
				alert.locator("svg").isVisible(),
				alert.getByRole("button", { name: "Try again" }).isVisible(),
			]);
		};
		await page.getByText("This video is being prepared.").waitFor();
		await look(page, "player-preparing");
		expect(await shown()).toEqual(["This video is being prepared. It appears here when it is ready.", false, false]);
		await page.context().setOffline(true);
		const offline = "The connection is lost. The video continues as soon as it is back.";
		await page.getByText(offline).waitFor();
		expect(await shown()).toEqual([offline, true, true]);
		state = "available";
		await page.context().setOffline(false);
		await expect.poll(async () => (await playing(page)).status).toBe("ready");
		await page.getByRole("alert").waitFor({ state: "hidden" });
		for (const [ended, sentence] of [
			["failed", "This video could not be processed."],
			["timeout", "This video could not be processed."],
			["cancelled", "This video was cancelled."],
			["expired", "The upload of this video was never finished."],
		] as const) {
			state = ended;
			await page.evaluate(
				(id) => document.querySelector("reelmill-player")?.setAttribute("video-id", id),
				`video-${ended}`,
			);
			await page.getByText(sentence).waitFor();
			expect(await shown()).toEqual([sentence, true, false]);
			if (ended === "failed") await look(page, "player-failed");
		}
		await page.evaluate(
			(gone) => {
				const player = document.querySelector("reelmill-player") as ReelmillPlayer;
				player.video = gone as ReelmillPlayer["video"];
			},
			{ ...video({ hls_url: `${delivery.origin}/gone.m3u8`, thumbnail_url: null }), visibility: "public" },
		);
		await page.getByText("This video no longer exists.").waitFor();
		expect(await shown()).toEqual(["This video no longer exists.", true, false]);
		await look(page, "player-deleted");
		await page.context().close();
	});

	it("plays on in another place of the page, and ends when it is gone", async () => {
		const page = await openPlayer({}, { hls_url: null });
		const seen = await page.evaluate(async () => {
			const player = document.querySelector("reelmill-player") as ReelmillPlayer;
			if (player.player?.state.get().status !== "ready")
				await new Promise((resolve) => player.addEventListener("playerready", resolve, { once: true }));
			const opened = player.player;
			document.body.append(player);
			await new Promise((resolve) => setTimeout(resolve));
			const moved = player.player === opened;
			player.remove();
			await new Promise((resolve) => setTimeout(resolve));
			return { moved, gone: player.player, ended: opened?.state.get().status };
		});
		expect(seen).toEqual({ moved: true, gone: null, ended: "destroyed" });
		await page.context().close();
	});
});
