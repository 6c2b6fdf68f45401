import { setTimeout as pause } from "node:timers/promises";
import { clipOf, file } from "../../imports/origin.ts";
import type { World } from "../world.ts";

const size = 200_000;
const bytes = clipOf(size);
/** A connection that brought more is opened again at once. */
const most = 150_000;

/** Lets time pass until the import is as `isSo` says. What failed is gone on with once its lease has run out. */
async function until(
	{ two, again, pass, principal }: World,
	id: string,
	isSo: (status: string) => boolean,
): Promise<string> {
	for (let tries = 0; tries < 10; tries++) {
		const { status, video_id } = await again(() => two.imports.get(principal, id));
		if (isSo(status)) return video_id ?? "";
		await pass(61);
	}
	throw new Error("The import comes to nothing.");
}

export const imports = {
	"an import whose connection breaks once": async (world: World) => {
		const { one, two, again, principal, origin, clock } = world;
		const answer = file(bytes, { cutAfter: (request) => (request === 0 ? most : undefined) });
		const url = origin.serve("/clip.mp4", async (request, response) => {
			// So that the run notes how far it is.
			await pause(10);
			clock.leap(2000);
			await pause(10);
			answer(request, response);
		});
		const input = { url, title: "A clip", values: { album: "one" }, uploader_ref: "anna" };
		const key = { idempotencyKey: "import" };
		const { id } = await again(() => one.imports.create(principal, input, undefined, key));
		const same = await again(() => two.imports.create(principal, input, undefined, key));
		if (same.id !== id) throw new Error("One key made two imports.");
		await again(() => one.imports.list(principal, { limit: 10, status: "waiting" }));
		const videoId = await until(world, id, (status) => status === "done");
		const { file_size: got, uploaded_at } = await again(() => one.videos.get(principal, videoId));
		if (got !== size || uploaded_at === null) throw new Error(`The upload of ${got} bytes has not ended.`);
		await again(() => one.videos.cancel(principal, videoId), ["invalid_state"]);
	},
	"imports that end before they are whole": async (world: World) => {
		const { one, two, again, principal, origin, clock, pass } = world;
		/** Answers so from the beginning of the file, and otherwise so. */
		const create = (path: string, first: ReturnType<typeof file>, then = first) => {
			const url = origin.serve(path, (request, response) =>
				(request.headers.range === "bytes=0-" ? first : then)(request, response),
			);
			return again(() => one.imports.create(principal, { url }, undefined, { idempotencyKey: path }));
		};
		const cut = () => file(bytes, { cutAfter: () => most });
		const absent: ReturnType<typeof file> = (_, response) => response.writeHead(503).end();
		const halfway = await create("/halfway.mp4", cut(), absent);
		for (let tries = 0; tries < 10; tries++) {
			const { video_id, bytes_received } = await again(() => two.imports.get(principal, halfway.id));
			if (video_id !== null && bytes_received > 0) break;
			await pass(61);
		}
		await again(() => two.imports.cancel(principal, halfway.id));
		/** It is cancelled on another server while the run waits for the rest. */
		const cancelledAt: ReturnType<typeof file> = async () => {
			await again(() => two.imports.cancel(principal, running.id));
			clock.leap(2000);
		};
		const running = await create("/running.mp4", cut(), cancelledAt);
		await until(world, running.id, (status) => status === "cancelled");
		const unheard = await create("/unheard.mp4", absent);
		await again(() => two.imports.cancel(principal, unheard.id));
		const changed = await create("/changed.mp4", cut(), file(bytes, { etag: '"two"' }));
		await until(world, changed.id, (status) => status === "failed");
		await again(() => one.imports.list(principal, { limit: 10 }));
		const pending = (await again(() => one.videos.list(principal, { limit: 10 }))).data.filter(
			({ state }) => state === "pending_upload",
		);
		if (pending.length > 0) throw new Error("A video waits for bytes that nobody sends.");
	},
};
