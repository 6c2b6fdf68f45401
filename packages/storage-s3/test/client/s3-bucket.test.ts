import { s3Bucket } from "@reelmill/storage-s3";
import { expect, it } from "vitest";
import { readS3Bucket } from "../../src/client/s3-bucket.ts";

const key = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };

it("says place, credentials and options apart, and is read back as it was given", () => {
	const given = { owner: "tenant", endpoint: "https://s3.example", bucket: "videos", keyPrefix: "a/b" } as const;
	const bucket = s3Bucket({ ...given, ...key, region: "eu-1", forcePathStyle: true });
	expect(bucket).toEqual({
		...given,
		protocol: "s3",
		publicEndpoint: null,
		credentials: { id: "AKIDEXAMPLE", secret: "secret" },
		options: { region: "eu-1", forcePathStyle: true },
	});
	const read = { ...given, ...key, publicEndpoint: null, region: "eu-1", forcePathStyle: true };
	expect(readS3Bucket(bucket)).toEqual(read);
	expect(readS3Bucket(JSON.parse(JSON.stringify(bucket)))).toEqual(read);
});

it("takes options that are missing as the defaults", () => {
	const bucket = s3Bucket({ owner: "platform", bucket: "videos", ...key });
	expect(readS3Bucket({ ...bucket, options: {}, credentials: null })).toEqual({
		...{ owner: "platform", endpoint: null, publicEndpoint: null, bucket: "videos", keyPrefix: "" },
		...{ region: "", forcePathStyle: false, accessKeyId: "", secretAccessKey: "" },
	});
});
