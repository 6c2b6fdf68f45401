import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

const uploads = createLocalUploadStore({ directory: "./example-data/uploads" });
const outputs = createLocalObjectStorage({ directory: "./example-data/outputs" });

const id = "0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d";
await uploads.create(id);
async function* bytes() {
	yield Buffer.from("the first bytes of a video");
}
const offset = await uploads.append(id, 0, bytes(), { limit: 1000 }); // durable by now

const source = await uploads.read(id);
if (source) await outputs.put(`videos/${id}/web.mp4`, source.bytes);
await uploads.discard(id);
const stored = await outputs.head(`videos/${id}/web.mp4`);
console.log(offset, stored?.size);
