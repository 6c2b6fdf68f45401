import { paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";

const ending = ".info";

/** Lists the ids of the uploads that an S3Store keeps in a bucket. It has an object `<id>.info` for each. */
export async function* s3Ids(client: S3Client, bucket: string): AsyncGenerator<string> {
	for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket }))
		for (const { Key = "" } of Contents) if (Key.endsWith(ending)) yield Key.slice(0, -ending.length);
}
