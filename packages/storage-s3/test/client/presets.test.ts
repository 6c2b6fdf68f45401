import { readFile } from "node:fs/promises";
import { createBucketOpener, presetOf, type S3Bucket, s3Bucket } from "@reelmill/storage-s3";
import { describe, expect, it } from "vitest";

const endpoints: readonly [string | null, ReturnType<typeof presetOf>][] = [
	[null, { name: "aws", region: "us-east-1", forcePathStyle: false }],
	["https://s3.eu-central-1.amazonaws.com", { name: "aws", region: "eu-central-1", forcePathStyle: false }],
	["https://s3.dualstack.us-west-2.amazonaws.com", { name: "aws", region: "us-west-2", forcePathStyle: false }],
	["https://s3.us-gov-west-1.amazonaws.com", { name: "aws", region: "us-gov-west-1", forcePathStyle: false }],
	["https://s3.cn-north-1.amazonaws.com.cn", { name: "aws", region: "cn-north-1", forcePathStyle: false }],
	["https://0123abcd.r2.cloudflarestorage.com", { name: "r2", region: "auto", forcePathStyle: false }],
	["https://0123abcd.eu.r2.cloudflarestorage.com", { name: "r2", region: "auto", forcePathStyle: false }],
	["https://s3.us-west-004.backblazeb2.com", { name: "b2", region: "us-west-004", forcePathStyle: false }],
	["https://s3.eu-central-2.wasabisys.com", { name: "wasabi", region: "eu-central-2", forcePathStyle: false }],
	["https://s3.wasabisys.com", { name: "wasabi", region: "us-east-1", forcePathStyle: false }],
	["https://fra1.digitaloceanspaces.com", { name: "spaces", region: "fra1", forcePathStyle: false }],
	["https://play.min.io", { name: "minio", region: "us-east-1", forcePathStyle: true }],
	["http://minio:9000", { name: "minio", region: "us-east-1", forcePathStyle: true }],
	["https://minio.example.com", { name: "minio", region: "us-east-1", forcePathStyle: true }],
	["https://rgw.example.com:7480", { name: "ceph", region: "us-east-1", forcePathStyle: true }],
	["http://ceph-rgw1:7480", { name: "ceph", region: "us-east-1", forcePathStyle: true }],
	["http://127.0.0.1:9000", { name: "other", region: "us-east-1", forcePathStyle: true }],
	["http://[::1]:9000", { name: "other", region: "us-east-1", forcePathStyle: true }],
	["http://storage:9000", { name: "other", region: "us-east-1", forcePathStyle: true }],
	["https://objects.example.com", { name: "other", region: "us-east-1", forcePathStyle: false }],
	["https://r2.cloudflarestorage.com.example.com", { name: "other", region: "us-east-1", forcePathStyle: false }],
	["https://administrator.example.com", { name: "other", region: "us-east-1", forcePathStyle: false }],
	["not a URL", { name: "other", region: "us-east-1", forcePathStyle: false }],
];

it.each(endpoints)("knows what %s needs", (endpoint, preset) => {
	expect(presetOf(endpoint)).toEqual(preset);
});

const base = { owner: "platform", bucket: "videos", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" } as const;

describe("a presigned URL", () => {
	const urls: readonly [Partial<S3Bucket>, origin: string, path: string, region: string][] = [
		[{ region: "eu-west-1" }, "https://videos.s3.eu-west-1.amazonaws.com", "/a.mp4", "eu-west-1"],
		[{ region: "cn-north-1" }, "https://videos.s3.cn-north-1.amazonaws.com.cn", "/a.mp4", "cn-north-1"],
		[
			{ endpoint: "https://acc.r2.cloudflarestorage.com" },
			"https://videos.acc.r2.cloudflarestorage.com",
			"/a.mp4",
			"auto",
		],
		[
			{ endpoint: "https://s3.us-west-004.backblazeb2.com" },
			"https://videos.s3.us-west-004.backblazeb2.com",
			"/a.mp4",
			"us-west-004",
		],
		[{ endpoint: "https://minio.example.com", region: "home" }, "https://minio.example.com", "/videos/a.mp4", "home"],
		[
			{ endpoint: "https://objects.example.com", forcePathStyle: true },
			"https://objects.example.com",
			"/videos/a.mp4",
			"us-east-1",
		],
		[
			{ endpoint: "http://10.0.0.5:9000", publicEndpoint: "https://cdn.example.com" },
			"https://cdn.example.com",
			"/videos/a.mp4",
			"us-east-1",
		],
	];

	it.each(urls)("of %j begins with %s", async (given, origin, path, region) => {
		const bucket = createBucketOpener({ allow: [] }).open(s3Bucket({ ...base, ...given }));
		const url = new URL(await bucket.outputs.presign("a.mp4", { method: "GET", seconds: 60 }));
		expect([url.origin, url.pathname]).toEqual([origin, path]);
		expect(url.searchParams.get("X-Amz-Credential")).toMatch(
			new RegExp(`^AKIDEXAMPLE/\\d{8}/${region}/s3/aws4_request$`),
		);
		await bucket.close();
	});
});

it("stands in the guide's table, each provider of it", async () => {
	const guide = await readFile(new URL("../../../../docs/guides/storage.md", import.meta.url), "utf8");
	for (const name of new Set(endpoints.map(([, preset]) => preset.name)))
		expect(guide, name).toContain(`| \`${name}\` |`);
});
