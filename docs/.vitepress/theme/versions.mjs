import { ref } from "vue";

/**
 * The versions of this site, as `versions.json` at its root names them; `null` where there is no such file.
 * @type {import("vue").Ref<{ current: string | null, older: string[] } | null>}
 */
export const versions = ref(null);

/** @type {Promise<void> | undefined} */
let asked;

/**
 * Reads the versions, once.
 * @param {string} root the path of the site's root, with a slash at its end
 */
export function readVersions(root) {
	if (asked !== undefined) return;
	asked = fetch(`${root}versions.json`)
		.then((answer) => (answer.ok ? answer.json() : null))
		.then((found) => {
			versions.value = found;
		})
		.catch(() => undefined);
}

/**
 * Returns the path of a page in another version, and that version's first page if it doesn't have it.
 * @param {string} base the path of that version, with a slash at its end
 * @param {string} page the page's path below it
 */
export async function pageIn(base, page) {
	const path = `${base}${page}`;
	const isThere = await fetch(path, { method: "HEAD" }).then(
		({ ok }) => ok,
		() => false,
	);
	return isThere ? path : base;
}

/**
 * Returns the path of a page below its version's.
 * @param {string} relativePath the page's source
 */
export const pathOf = (relativePath) => relativePath.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
