import { StorageProfile, type StorageView } from "@reelmill/contracts";

/** The values of the form, as texts and switches. */
export type Draft = {
	readonly backend: StorageView["backend"];
	readonly location_id: string;
	readonly endpoint: string;
	readonly region: string;
	readonly bucket: string;
	readonly key_prefix: string;
	/** Empty if the service chooses by the endpoint. */
	readonly force_path_style: "" | "path" | "host";
	readonly access_key_id: string;
	readonly secret_access_key: string;
	readonly public_base_url: string;
};

type TextName = Exclude<keyof Draft, "backend" | "location_id" | "force_path_style">;

/** The texts of a bucket's profile, in the order of the form. */
export const texts: readonly { readonly name: TextName; readonly label: string; readonly placeholder: string }[] = [
	{ name: "endpoint", label: "Endpoint", placeholder: "https://s3.example.com" },
	{ name: "bucket", label: "Bucket", placeholder: "my-videos" },
	{ name: "region", label: "Region", placeholder: "eu-central-1" },
	{ name: "key_prefix", label: "Key prefix", placeholder: "videos" },
	{ name: "access_key_id", label: "Access key id", placeholder: "" },
	{ name: "secret_access_key", label: "Secret access key", placeholder: "" },
	{ name: "public_base_url", label: "Public address", placeholder: "https://cdn.example.com" },
];

const hints: Readonly<Record<TextName, string>> = {
	endpoint: "Leave it empty for AWS. It must be a public address, unless the operator allows others.",
	bucket: "It must exist already.",
	region: "You may leave it out if you give an endpoint.",
	key_prefix: "A folder for what is made of the uploads, which lie at the bucket's root themselves.",
	access_key_id: "Leave it and the secret empty to keep the key that this bucket has.",
	secret_access_key: "Nobody can read it here again.",
	public_base_url:
		"Where the bucket can be read, if public videos are to be served from it. They are copied to public/ below the prefix: let anyone read only that.",
};

/** What a field means, and its longest value by the contract. */
export function hintOf(name: TextName): string {
	const longest = lengthOf(StorageProfile.shape[name]);
	return longest === null ? hints[name] : `${hints[name]} At most ${longest} characters.`;
}

function lengthOf(schema: object): number | null {
	if ("unwrap" in schema && typeof schema.unwrap === "function") return lengthOf(schema.unwrap());
	return "maxLength" in schema && typeof schema.maxLength === "number" ? schema.maxLength : null;
}

/** The draft that a profile in force begins with. Its key is not known to the page. */
export const draftOf = (view: StorageView): Draft => ({
	backend: view.backend === "local" ? "s3_tenant" : view.backend,
	location_id: view.location_id ?? "",
	endpoint: view.endpoint ?? "",
	region: view.region ?? "",
	bucket: view.bucket ?? "",
	key_prefix: view.key_prefix ?? "",
	force_path_style: view.force_path_style === null ? "" : view.force_path_style ? "path" : "host",
	access_key_id: "",
	secret_access_key: "",
	public_base_url: view.backend === "s3_tenant" ? (view.public_base_url ?? "") : "",
});

/** The profile of a draft: the fields of its backend that have a value. */
export function profileOf(draft: Draft): StorageProfile {
	if (draft.backend === "local") return { backend: "local" };
	if (draft.backend === "s3_platform") return { backend: "s3_platform", location_id: draft.location_id };
	const filled = texts.flatMap(({ name }) => (draft[name].trim() === "" ? [] : [[name, draft[name].trim()]]));
	const style = draft.force_path_style === "" ? {} : { force_path_style: draft.force_path_style === "path" };
	return { backend: "s3_tenant", ...style, ...Object.fromEntries(filled) };
}

const begins: Readonly<Record<string, string>> = {
	endpoint: "It begins with https:// or http://.",
	public_base_url: "It begins with https://.",
};

/** What the contract finds wrong in a draft, by field. */
export function faultsOf(draft: Draft): Readonly<Record<string, string>> {
	const { error } = StorageProfile.safeParse(profileOf(draft));
	const faults = Object.fromEntries(
		(error?.issues ?? []).map((issue) => {
			const field = issue.path.join(".");
			if (issue.code === "too_big") return [field, `At most ${issue.maximum} characters.`];
			return [field, (issue.code === "invalid_format" && begins[field]) || issue.message];
		}),
	);
	const isUnnamed = draft.backend === "s3_tenant" && draft.bucket.trim() === "";
	return isUnnamed ? { ...faults, bucket: "A bucket is needed." } : faults;
}
