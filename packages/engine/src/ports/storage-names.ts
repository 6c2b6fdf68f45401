const part = "(?!\\.\\.?(?:/|$))[A-Za-z0-9._-]+";
const key = new RegExp(`^${part}(?:/${part})*$`);
const prefix = new RegExp(`^(?:${part}/)+$`);
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** JavaScript's `$` without the `m` flag is the very end, so that no line break slips through. */
const check = (pattern: RegExp, what: string) => (value: string) => {
	if (!pattern.test(value)) throw new TypeError(`Not ${what}: ${JSON.stringify(value.slice(0, 200))}`);
};

/** Throws a TypeError for what is no key of an ObjectStorage. */
export const checkKey = check(key, "a key of plain parts");
/** Throws a TypeError for what is no prefix that an ObjectStorage lists or deletes. */
export const checkPrefix = check(prefix, "a prefix of plain parts that ends with a slash");
/** Throws a TypeError for what is no id of an UploadStore. */
export const checkId = check(id, "a UUID in lower case");
