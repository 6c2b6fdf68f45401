import { createTestBucket, startTestGateway } from "@reelmill/storage-s3/testing";

// Ceph's gateway on a host of its own, for all other hosts: `gateway-process.ts PORT NAME BUCKET KEY SECRET`.
const [port = "", name = "", bucket = "", accessKeyId = "", secretAccessKey = ""] = process.argv.slice(2);
const gateway = await startTestGateway({ address: "0.0.0.0", port: Number(port), name, accessKeyId, secretAccessKey });
await createTestBucket(gateway.server, bucket);
process.once("SIGTERM", () => gateway.close().then(() => process.exit(0)));
process.stdout.write("the gateway is ready\n");
