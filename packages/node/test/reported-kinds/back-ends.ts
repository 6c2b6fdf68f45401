import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import { type BrowserKind, call, type NodeKind } from "./kind.ts";

const run = promisify(execFile);
const clip = JSON.stringify({ action: "upload", content_type: "video/mp4", file_size: 1 });

/** A back end must be built without its settings, and say at the first call what is wrong with them. */
export const backEnds: readonly NodeKind[] = [
	{
		kind: "an import where no setting is there",
		tried: "a build imports the SDK and creates it; the first call names what is missing",
		reports: ["stripe/stripe-node#2207", "Akshay473/forensic-pro-suite#148"],
		async act({ project }) {
			const program = `
				const { createReelmill } = await import("@reelmill/node");
				const { baseUrl, apiKey } = process.env;
				for (const options of [{ baseUrl, apiKey }, { baseUrl: "https://video.example.com", apiKey }])
					await createReelmill(options).videos.get("video-1").catch(({ name, message }) => console.log(name, message));`;
			const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
				cwd: project.folder,
				env: {},
			});
			expect(stdout).toMatch(
				/^TypeError baseUrl is missing.*REELMILL_URL.*\nTypeError apiKey is missing.*REELMILL_API_KEY/,
			);
		},
	},
	{
		kind: "a page's packages on a server",
		tried: "the browser SDK and the elements are imported where there is no window",
		reports: ["muxinc/upchunk#19", "transloadit/uppy#4538", "muxinc/elements#15"],
		async act({ project }) {
			const program = `
				for (const entry of ["browser", "browser/upload", "browser/player", "elements", "elements/player"])
					console.log(Object.keys(await import("@reelmill/" + entry)).length > 0);`;
			const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
				cwd: project.folder,
			});
			expect(stdout.trim().split("\n")).toEqual(["true", "true", "true", "true", "true"]);
		},
	},
	{
		kind: "an address with /v1, without https, or with a slash",
		tried: "the first call says what to write in its place; a slash at the end does no harm",
		reports: ["frain-dev/convoy.js#33", "WayfinderFoundation/wayfinder-paths-sdk#204"],
		async act({ sdk, service, reelmill }) {
			const said = (baseUrl: string) =>
				sdk
					.createReelmill({ baseUrl, apiKey: "ek_a" })
					.videos.get("video-1")
					.catch(({ message }) => message);
			expect(await said(`${service.url}/v1`)).toContain(`write ${service.url} in place of`);
			expect(await said("video.example.com")).toContain("write https://video.example.com");
			const { id } = (await reelmill.videos.create({ content_type: "video/mp4", file_size: 1 })).video;
			const { auth } = await service.tenant();
			const slashed = sdk.createReelmill({
				baseUrl: `${service.url}/`,
				apiKey: String(auth["authorization"]).slice(7),
			});
			expect(await slashed.videos.get(id).catch(({ code }) => code)).toBe("video_not_found");
		},
	},
	{
		kind: "a page of another site",
		tried: "it gets nothing with the visitor's cookies; an origin that is named gets its CORS headers",
		reports: ["tus/tus-node-server#746", "demos-europe/demosplan-core#6509"],
		async act({ site }) {
			const ask = (headers: object) =>
				fetch(`${site}/video`, {
					method: "POST",
					body: clip,
					headers: { "content-type": "application/json", cookie: "session=ada", ...headers },
				});
			const evil = await ask({ origin: "https://evil.example", "sec-fetch-site": "cross-site" });
			expect([evil.status, await evil.json()]).toMatchObject([403, { error: "csrf_check_failed" }]);
			const named = await ask({ origin: "https://app.example.com", "sec-fetch-site": "cross-site" });
			expect(named.status).toBe(201);
			expect(named.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
		},
	},
];

/** What a page learns of a back end that is not there. */
export const backEndsInPages: readonly BrowserKind[] = [
	{
		kind: "a back end whose route is not mounted",
		tried: "the upload fails with who answered, and a question that leads to the cause",
		reports: ["tus/tusd#416", "tus/tus-js-client#171"],
		async act(scene) {
			const tab = await scene.tab([await scene.world.clip(1024)], { path: "/lost/" });
			const { status, error } = await call(tab, 'send("lesson-1")');
			expect({ status, error }).toMatchObject({
				status: "failed",
				error: { message: expect.stringMatching(/answered POST with 200 and text\/html.*uploadRoutes/) },
			});
		},
	},
];
