const part = "(?!\\.\\.?(?:/|$))[A-Za-z0-9._-]+";
const key = new RegExp(`^${part}(?:/${part})*$`);
const prefix = new RegExp(`^(?:${part}/)+$`);
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const check = (pattern: RegExp, what: string) => (value: string) => {
	if (!pattern.test(value)) throw new TypeError(`Not ${what}: ${JSON.stringify(value.slice(0, 200))}`);
};

export const checkKey = check(key, "a key of plain parts");
export const checkPrefix = check(prefix, "a prefix of plain parts that ends with a slash");
export const checkId = check(id, "a UUID in lower case");
