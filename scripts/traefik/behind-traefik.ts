import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type Behind, keepsTheGuidesPromises, size, startBehind } from "../../apps/server/test/support/behind-proxy.ts";
import { compressesPlaylists } from "../../apps/server/test/support/playlists-behind.ts";
import { guideFiles, startTraefik, type TraefikFiles } from "./start-traefik.ts";

let behind: Behind | undefined;
afterEach(async () => {
	await behind?.close();
	behind = undefined;
});
const start = async (files: TraefikFiles): Promise<Behind> => {
	behind = await startBehind((place) => startTraefik(place, files));
	return behind;
};

/** Sends the file in small pieces. Resolves to the answer's status, or to `null` once the line is cut without one. */
async function sendSlowly({ patch }: Behind, upload: Parameters<Behind["patch"]>[0]): Promise<number | null> {
	const sending = patch(upload, 0, size);
	let status: number | null | undefined;
	sending.on("response", (answer) => {
		answer.resume();
		status = answer.statusCode;
	});
	sending.on("error", () => undefined);
	sending.on("close", () => {
		status ??= null;
	});
	const piece = Buffer.alloc(size / 48, "a");
	for (let sent = 0; sent < size && status === undefined; sent += piece.length) {
		sending.write(piece);
		await pause(60);
	}
	sending.end();
	while (status === undefined) await pause(20);
	return status;
}

describe("behind Traefik, as the guide configures it,", () => {
	it("an upload that is cut goes on where it was, and the operators' paths are closed to others", async () => {
		await keepsTheGuidesPromises(await start(await guideFiles()), 404);
	});

	it("an upload that moves isn't cut", async () => {
		const running = await start(await guideFiles());
		expect(await sendSlowly(running, await running.createUpload())).toBe(204);
	});

	it("http leads to https", async () => {
		const { redirects } = await start(await guideFiles());
		const { status, headers } = await fetch(`${redirects}/docs`, { redirect: "manual" });
		expect(status).toBe(301);
		expect(headers.get("location")).toMatch(/^https:\/\/127\.0\.0\.1(?::\d+)?\/docs$/);
	});

	it("a server that is gone is left out", async () => {
		const { fixed, dynamic } = await guideFiles();
		const check = "healthCheck: { path: /v1/health, interval: 100ms, timeout: 1s }";
		const servers = "        servers:\n";
		const two = dynamic.replace(servers, `        ${check}\n${servers}          - url: http://127.0.0.1:1\n`);
		expect(two).toContain(check);
		const { send } = await start({ fixed, dynamic: two });
		await expect
			.poll(async () =>
				(await Promise.all(Array.from({ length: 6 }, () => send("/v1/health")))).map(({ status }) => status),
			)
			.toEqual([200, 200, 200, 200, 200, 200]);
	});
});

describe("behind Traefik, configured otherwise,", () => {
	it("an upload that moves is cut once its request takes longer than readTimeout, and goes on from there", async () => {
		const { fixed, dynamic } = await guideFiles();
		// Its default is a minute, which the test doesn't wait for.
		const running = await start({ fixed: fixed.replace("readTimeout: 1h", "readTimeout: 1s"), dynamic });
		const upload = await running.createUpload();
		expect(await sendSlowly(running, upload)).not.toBe(204);
		await expect.poll(() => running.offsetOf(upload)).toBeGreaterThan(0);
		expect(await running.offsetOf(upload)).toBeLessThan(size);
	});

	const buffering = async (limit: number): Promise<TraefikFiles> => {
		const { fixed, dynamic } = await guideFiles();
		const collected = dynamic
			.replace("[strict-transport, texts]", "[collected]")
			.replace(
				"  middlewares:\n",
				`  middlewares:\n    collected:\n      buffering: { maxRequestBodyBytes: ${limit} }\n`,
			);
		return { fixed, dynamic: collected };
	};

	it("with its buffering, an upload above its limit is refused", async () => {
		const { createUpload, patch } = await start(await buffering(1024 * 1024));
		const sending = patch(await createUpload(), 0, size);
		sending.on("error", () => undefined);
		sending.flushHeaders();
		const [{ statusCode }] = (await once(sending, "response")) as [IncomingMessage];
		sending.destroy();
		expect(statusCode).toBe(413);
	});

	it("with its buffering, one that is cut begins anew", async () => {
		const { createUpload, sendHalf, offsetOf } = await start(await buffering(0));
		const upload = await createUpload();
		await sendHalf(upload);
		expect(await offsetOf(upload)).toBe(0);
	});
});

compressesPlaylists("Traefik, as the guide configures it,", async (place) => startTraefik(place, await guideFiles()));
