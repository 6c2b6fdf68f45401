import { type Answer, ask, codeOf } from "../processes/ask.ts";
import type { Receiver } from "./receiver.ts";
import { locationId } from "./storage.ts";

export type Tenant = { readonly domain: string; readonly slug: string; readonly apiKey: string };
export type Tenants = {
	readonly tenants: readonly [Tenant, ...Tenant[]];
	/** Of the service account that all workers use. */
	readonly account: { readonly name: string; readonly secret: string; readonly token: string };
};

/** Makes the tenants, of which some store in the bucket, and the workers' account. */
export async function makeTenants(
	url: string,
	adminKey: string,
	{ local, inBucket, receiver }: { local: number; inBucket: number; receiver: Receiver },
): Promise<Tenants> {
	const call = async <T>(method: string, path: string, key: string | null, body?: object): Promise<T> => {
		const headers = { "content-type": "application/json", ...(key !== null && { authorization: `Bearer ${key}` }) };
		const answer: Answer = await ask({ url: `${url}${path}`, method, headers, body: body && Buffer.from(JSON.stringify(body)) });
		if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${codeOf(answer)}: ${answer.body}`);
		return JSON.parse(answer.body.toString() || "null") as T;
	};
	const make = async (slug: string): Promise<Tenant> => {
		const { domain, api_key } = await call<{ domain: { id: string }; api_key: string }>("POST", "/admin/v1/domains", adminKey, { slug });
		await call("PATCH", "/v1/domain/config", api_key, {
			renditions: ["h264_720"],
			outputs: { hls: true, dash: false, mp4_fallback: true, og_thumbnail: false },
			default_visibility: "public",
			webhook_url: receiver.url,
			webhook_secret: receiver.secret,
		});
		return { domain: domain.id, slug, apiKey: api_key };
	};
	const tenants: Tenant[] = [];
	for (let index = 0; index < local; index++) tenants.push(await make(`disk-${index}`));
	for (let index = 0; index < inBucket; index++) {
		const tenant = await make(`bucket-${index}`);
		await call("PUT", "/v1/domain/storage", tenant.apiKey, { backend: "s3_platform", location_id: locationId });
		tenants.push(tenant);
	}
	const name = "fault-workers";
	const { secret } = await call<{ secret: string }>("POST", "/admin/v1/service-accounts", adminKey, { name });
	const { token } = await call<{ token: string }>("POST", "/internal/v1/token", null, { name, secret });
	return { tenants: tenants as [Tenant, ...Tenant[]], account: { name, secret, token } };
}
