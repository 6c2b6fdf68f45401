const part = "(?!\\.\\.?(?:/|$))[A-Za-z0-9._-]+";
const key = new RegExp(`^${part}(?:/${part})*$`);
const prefix = new RegExp(`^(?:${part}/)+$`);
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Without the `m` flag, JavaScript's `$` is the very end, so no line break slips through. */
const check = (pattern: RegExp, what: string) => (value: string) => {
	if (!pattern.test(value)) throw new TypeError(`Not ${what}: ${JSON.stringify(value.slice(0, 200))}`);
};

/**
 * Checks a key of an ObjectStorage.
 *
 * @throws {TypeError} when it is none.
 *
 * @example
 * ```ts
 * import { checkKey } from "@reelmill/engine";
 *
 * checkKey("videos/1/web.mp4");
 * try {
 * 	checkKey("../secrets");
 * } catch (error) {
 * 	console.log((error as Error).name); // => TypeError
 * }
 * ```
 */
export const checkKey = check(key, "a key of plain parts");
/**
 * Checks a prefix that an ObjectStorage lists or deletes.
 *
 * @throws {TypeError} when it is none.
 *
 * @example
 * ```ts
 * import { checkPrefix } from "@reelmill/engine";
 *
 * checkPrefix("videos/1/");
 * try {
 * 	checkPrefix("videos/1");
 * } catch (error) {
 * 	console.log((error as Error).name); // => TypeError
 * }
 * ```
 */
export const checkPrefix = check(prefix, "a prefix of plain parts that ends with a slash");
/**
 * Checks an id of an UploadStore.
 *
 * @throws {TypeError} when it is none.
 *
 * @example
 * ```ts
 * import { checkId } from "@reelmill/engine";
 *
 * checkId("0b0f2ad4-5f0c-4c8e-9d4a-3f1c0a6f9b10");
 * try {
 * 	checkId("1");
 * } catch (error) {
 * 	console.log((error as Error).name); // => TypeError
 * }
 * ```
 */
export const checkId = check(id, "a UUID in lower case");
