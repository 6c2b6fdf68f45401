import { createTestReelmill } from "@reelmill/testing";

/** A test file up to the answer to its first call. Prints the milliseconds that it took, on the wall and of the CPU. */
const [cacheDirectory] = process.argv.slice(2);
const test = await createTestReelmill(cacheDirectory === undefined ? {} : { cacheDirectory });
await test.reelmill.videos.create({ content_type: "video/mp4", file_size: 1000 });
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ wall: performance.now(), processor: (user + system) / 1000 }));
