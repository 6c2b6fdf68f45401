import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createReelmill } from "@reelmill/node";
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
		const running = await start(await guideBlock("nginx"));
		await keepsTheGuidesPromises(running, { refused: 403, protocol: "http/1.1" });
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

	it("the SDK's upload passes all the same, in requests of less than a mebibyte, and the next one at once", async () => {
		const { url, certificate, auth } = await start(plain(""));
		const before = getCACertificates("default");
		setDefaultCACertificates([...before, certificate]);
		try {
			const statuses: number[] = [];
			const seen = ({ response }: { response: { statusCode: number } }) => statuses.push(response.statusCode);
			subscribe("undici:request:headers", seen as never);
			const apiKey = auth.authorization?.replace("Bearer ", "");
			const { videos } = createReelmill({ baseUrl: url, apiKey });
			const clip = new Blob([new Uint8Array(size)], { type: "video/mp4" });
			for (const refused of [true, false]) {
				statuses.length = 0;
				expect((await videos.upload(clip)).uploaded_at).not.toBeNull();
				expect(statuses.includes(413)).toBe(refused);
			}
			unsubscribe("undici:request:headers", seen as never);
		} finally {
			setDefaultCACertificates(before);
		}
	});

	it("one that is cut begins anew, where only the size is allowed", async () => {
		const { createUpload, sendHalf, offsetOf } = await start(plain("client_max_body_size 0;"));
		const upload = await createUpload();
		await sendHalf(upload);
		expect(await offsetOf(upload)).toBe(0);
	});
});
