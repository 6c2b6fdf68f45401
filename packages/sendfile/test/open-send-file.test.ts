import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { platform, release, tmpdir } from "node:os";
import { join } from "node:path";
import { openSendFile } from "@reelmill/sendfile";
import { afterAll, describe, expect, it } from "vitest";

const [major = 0, minor = 0] = release().split(".").map(Number);
const isExpected = platform() === "linux" && (major > 6 || (major === 6 && minor >= 5));
const sendFile = (await openSendFile()) ?? (() => 0);

const bytes = randomBytes(32 * 1024 * 1024);
const directory = mkdtempSync(join(tmpdir(), "reelmill-sendfile-"));
const path = join(directory, "file");
writeFileSync(path, bytes);
const file = openSync(path, "r");
const server = createServer();
const sockets: Socket[] = [];
afterAll(() => {
	for (const socket of sockets) socket.destroy();
	server.close();
	closeSync(file);
	rmSync(directory, { recursive: true });
});

it("is to be had on Linux 6.5 and later", async () => {
	expect((await openSendFile()) !== null).toBe(isExpected);
});

/** The two ends of a connection: the descriptor of one, and the other, which reads nothing yet. */
async function connection(): Promise<{ descriptor: number; end: Socket; reader: Socket }> {
	if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
	const reader = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
	const [end] = (await once(server, "connection")) as [Socket];
	end.on("error", () => undefined);
	sockets.push(reader, end);
	return { descriptor: (end as unknown as { _handle: { fd: number } })._handle.fd, end, reader };
}

const promises = () => {
	it("sends just the bytes it was asked for, and nothing where the file has fewer", async () => {
		const { descriptor, end, reader } = await connection();
		expect(sendFile(descriptor, file, 12_345, 40_000)).toBe(40_000);
		expect(sendFile(descriptor, file, 0, 1)).toBe(1);
		expect(sendFile(descriptor, file, bytes.length - 10, 10_000)).toBe(0);
		expect(sendFile(descriptor, file, bytes.length, 1)).toBe(0);
		expect(sendFile(descriptor, file, 0, 0)).toBe(0);
		end.end();
		expect(
			Buffer.concat((await reader.toArray()) as Buffer[]).equals(
				Buffer.concat([bytes.subarray(12_345, 52_345), bytes.subarray(0, 1)]),
			),
		).toBe(true);
	});

	it("takes no more than the connection does, waits for nobody, and goes on when there is room again", async () => {
		const { descriptor, end, reader } = await connection();
		let sent = 0;
		for (let count = 1; count > 0; sent += count) count = sendFile(descriptor, file, sent, bytes.length - sent);
		expect(sent).toBeGreaterThan(0);
		expect(sent).toBeLessThan(bytes.length);
		const read = reader.toArray() as Promise<Buffer[]>;
		await expect
			.poll(() => (sent += sendFile(descriptor, file, sent, bytes.length - sent)), { interval: 1 })
			.toBe(bytes.length);
		end.end();
		expect(Buffer.concat(await read).equals(bytes)).toBe(true);
	});

	it("sends nothing that would have to be waited for on the disk", async () => {
		const { descriptor } = await connection();
		const cold = join(directory, "cold");
		writeFileSync(cold, bytes.subarray(0, 1024 * 1024), { flush: true });
		const opened = openSync(cold, "r");
		execFileSync("dd", [`if=${cold}`, "iflag=nocache", "count=0", "status=none"]);
		expect(sendFile(descriptor, opened, 0, 1000)).toBe(0);
		readSync(opened, Buffer.alloc(1000), 0, 1000, 0);
		expect(sendFile(descriptor, opened, 0, 1000)).toBe(1000);
		closeSync(opened);
	});

	it("sends nothing over a connection that is closed, and from no file", async () => {
		const { descriptor, end, reader } = await connection();
		expect([sendFile(-1, file, 0, 10), sendFile(descriptor, -1, 0, 10)]).toEqual([0, 0]);
		const closed = new Promise((resolve) => end.once("close", resolve));
		reader.resetAndDestroy();
		await expect.poll(() => sendFile(descriptor, file, 0, 10)).toBe(0);
		await closed;
	});
};

if (isExpected) describe("sendfile", promises);
