import { type Answer, ask, codeOf } from "../../processes/ask.ts";
import { locationId } from "../storage.ts";
import type { Receiver } from "./receiver.ts";

export type Tenant = { readonly domain: string; readonly slug: string; readonly apiKey: string };
export type Probes = { readonly disk: readonly [Tenant, ...Tenant[]]; readonly bucket: readonly [Tenant, ...Tenant[]] };
export type Tenants = {
	readonly tenants: readonly [Tenant, ...Tenant[]];
	/**
	 * The tenants that measure whether the service works: those that store on the disk, and those that store in the
	 * bucket.
	 */
	readonly probes: Probes;
	/** The service account of all workers. */
	readonly account: { readonly name: string; readonly secret: string; readonly token: string };
};

/** More than one, because a tenant has 200 requests a minute. */
const probesOfAKind = 4;

/** Makes the tenants, some of which store in the bucket, and the workers' account. */
export async function makeTenants(
	url: string,
	adminKey: string,
	{ local, inBucket, receiver }: { local: number; inBucket: number; receiver: Receiver },
): Promise<Tenants> {
	const call = async <T>(method: string, path: string, key: string | null, body?: object): Promise<T> => {
		const headers = { "content-type": "application/json", ...(key !== null && { authorization: `Bearer ${key}` }) };
		const answer: Answer = await ask({
			url: `${url}${path}`,
			method,
			headers,
			body: body && Buffer.from(JSON.stringify(body)),
		});
		if (answer.status >= 300)
			throw new Error(`${method} ${path} answered ${answer.status} ${codeOf(answer)}: ${answer.body}`);
		return JSON.parse(answer.body.toString() || "null") as T;
	};
	const make = async (slug: string, isInBucket: boolean, webhookUrl: string): Promise<Tenant> => {
		const { domain, api_key } = await call<{ domain: { id: string }; api_key: string }>(
			"POST",
			"/admin/v1/domains",
			adminKey,
			{ slug },
		);
		await call("PATCH", "/v1/domain/config", api_key, {
			renditions: ["h264_720"],
			outputs: { hls: true, dash: false, mp4_fallback: true, og_thumbnail: false },
			default_visibility: "public",
			webhook_url: webhookUrl,
			webhook_secret: receiver.secret,
		});
		if (isInBucket)
			await call("PUT", "/v1/domain/storage", api_key, { backend: "s3_platform", location_id: locationId });
		return { domain: domain.id, slug, apiKey: api_key };
	};
	const several = async (
		count: number,
		name: string,
		isInBucket: boolean,
		urlOf = receiver.urlOf,
	): Promise<[Tenant, ...Tenant[]]> => {
		const made: Tenant[] = [];
		for (let index = 0; index < count; index++)
			made.push(await make(`${name}-${index}`, isInBucket, urlOf(`${name}-${index}`)));
		return made as [Tenant, ...Tenant[]];
	};
	const tenants = [...(await several(local, "disk", false)), ...(await several(inBucket, "bucket", true))];
	const probes = {
		disk: await several(probesOfAKind, "probe", false, receiver.plainUrlOf),
		bucket: await several(probesOfAKind, "bucket-probe", true, receiver.plainUrlOf),
	};
	const name = "fault-workers";
	const { secret } = await call<{ secret: string }>("POST", "/admin/v1/service-accounts", adminKey, { name });
	const { token } = await call<{ token: string }>("POST", "/internal/v1/token", null, { name, secret });
	return { tenants: tenants as [Tenant, ...Tenant[]], probes, account: { name, secret, token } };
}
