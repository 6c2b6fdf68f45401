import { createTestReelmill } from "@reelmill/testing";

const t0 = performance.now();
const told: unknown[] = [];
const test = await createTestReelmill({
	webhooks: async (r) => {
		const j = await r.json();
		told.push([j.type, j.data.video.state]);
		return new Response(null, { status: told.length === 1 ? 500 : 200 });
	},
});
console.log("created", performance.now() - t0);
const { video } = await test.reelmill.videos.create({ content_type: "video/mp4", file_size: 1000 });
console.log("first call", performance.now() - t0);
const f = await test.finish(video.id);
console.log("finish", performance.now() - t0, f.state, f.outputs, told);
await test.advance(31);
console.log("advance", performance.now() - t0, told);
const b = await test.reelmill.videos.create({ content_type: "video/mp4", file_size: 1000 });
await test.advance(3601);
console.log("advance", performance.now() - t0, told, (await test.reelmill.videos.get(b.video.id)).state);
try {
	await test.finish(b.video.id);
} catch (e) {
	console.log(String(e));
}
if (process.argv[2]) await test.close();
process.on("exit", () => console.log("exit", performance.now() - t0));
