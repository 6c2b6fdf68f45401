import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { type Behind, keepsTheGuidesPromises, size, startBehind } from "./support/behind-proxy.ts";
import { guideBlock } from "./support/guide-block.ts";
import { startNginx } from "./support/nginx.ts";

let behind: Behind | undefined;
afterEach(() => behind?.close());
const start = async (configuration: string): Promise<Behind> => {
	behind = await startBehind((place) => startNginx(place, configuration));
	return behind;
};

describe("behind nginx, as the guide configures it,", () => {
	it("an upload that is cut goes on where it was, and the operators' paths are closed to others", async () => {
		await keepsTheGuidesPromises(await start(await guideBlock("nginx")), 403);
	});
});

describe("behind nginx with its defaults", () => {
	const plain = (more: string) =>
		`upstream reelmill {\n\tserver 127.0.0.1:8787;\n}\nserver {\n\tlisten 443 ssl;\n\tssl_certificate x;\n\tssl_certificate_key x;\n\t${more}\n\tlocation / { proxy_pass http://reelmill; proxy_set_header Host $host; }\n}\n`;

	it("an upload of more than a mebibyte is refused", async () => {
		const { createUpload, patch } = await start(plain(""));
		const sending = patch(await createUpload(), 0, size);
		sending.on("error", () => undefined);
		sending.flushHeaders();
		const [{ statusCode }] = (await once(sending, "response")) as [IncomingMessage];
		sending.destroy();
		expect(statusCode).toBe(413);
	});

	it("one that is cut begins anew, where only the size is allowed", async () => {
		const { createUpload, sendHalf, offsetOf } = await start(plain("client_max_body_size 0;"));
		const upload = await createUpload();
		await sendHalf(upload);
		expect(await offsetOf(upload)).toBe(0);
	});
});
