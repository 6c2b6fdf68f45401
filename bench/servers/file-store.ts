import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";

/** @tus/server as its documentation sets it up. It syncs nothing. */
const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
const tus = new Server({ path: "/uploads", datastore: new FileStore({ directory }) });
const server = createServer({ requestTimeout: 0 }, (request, response) => void tus.handle(request, response)).listen(
	0,
	"127.0.0.1",
	() => console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
process.once("SIGTERM", async () => {
	await rm(directory, { recursive: true, force: true });
	process.exit();
});
