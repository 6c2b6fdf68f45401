import { createBucketOpener, s3Bucket } from "@reelmill/storage-s3";

const [endpoint = "", bucket = "", accessKeyId = "", secretAccessKey = ""] = process.argv.slice(2);
const opener = createBucketOpener({ allow: [] }); // tenants' buckets at public addresses alone
const place = { endpoint, bucket, keyPrefix: "outputs", forcePathStyle: true };
const { outputs, close } = opener.open(s3Bucket({ owner: "platform", ...place, accessKeyId, secretAccessKey }));

async function* bytes() {
	yield Buffer.from("the bytes of a video");
}
await outputs.put("videos/1/web.mp4", bytes());
const url = await outputs.presign("videos/1/web.mp4", { method: "GET", seconds: 60 });
console.log(await (await fetch(url, { headers: { range: "bytes=4-8" } })).text());
await outputs.deletePrefix("videos/1/");
await close();
