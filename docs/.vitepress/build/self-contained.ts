import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** The tags of which a browser fetches something when it opens a page, and what a style sheet names. */
const fetching = [/<(?:script|img|iframe|source|video|link)[\s>][^<>]*/g, /url\([^()]*\)/g];
const ofOtherHost = /(?:\bsrc="|\bhref="|url\(["']?)(?:https?:)?\/\//;
/** A link that only names an address. */
const isName = (tag: string): boolean => /\brel="(?:canonical|alternate|author|license)"/.test(tag);

/**
 * Proves that no page of a version asks another host for anything, and that what the pages of the API link to is there.
 * `base` is the version's path, with a slash at its end.
 */
export function proveSelfContained(folder: string, base: string): void {
	const files = globSync("**/*.{html,css}", { cwd: folder, exclude: ["v"] });
	const complaints = files.flatMap((file) => {
		const text = readFileSync(join(folder, file), "utf8");
		return fetching
			.flatMap((one) => [...text.matchAll(one)].map(([tag]) => tag))
			.filter((tag) => ofOtherHost.test(tag) && !isName(tag))
			.map((tag) => `${file} fetches ${tag}`);
	});
	complaints.push(...deadLinks(folder, base));
	if (complaints.length > 0) throw new Error([...new Set(complaints)].join("\n"));
	console.log(`${files.length} pages and style sheets ask no other host.`);
}

/** Names each link of the pages about the API that leads to no file or to no place of it. */
function deadLinks(folder: string, base: string): string[] {
	const texts = new Map<string, string>();
	const textOf = (file: string): string => {
		const text = texts.get(file) ?? readFileSync(join(folder, file), "utf8");
		texts.set(file, text);
		return text;
	};
	return globSync("api/*.html", { cwd: folder }).flatMap((file) =>
		Array.from(textOf(file).matchAll(/\shref="([^"]+)"/g), ([, href = ""]) => href)
			// What is outside of this version is another host's or another version's.
			.filter((href) => !/^[a-z]+:/.test(href) && (!href.startsWith("/") || href.startsWith(base)))
			.filter((href) => {
				const [path = "", anchor] = href.split("#");
				const below = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(file), path);
				const target = path === "" ? file : below === "" || below.endsWith("/") ? `${below}index.html` : below;
				if (/^\.?\/?reference\//.test(target)) return false;
				if (!existsSync(join(folder, target))) return true;
				// The reference makes its places by script.
				if (target.endsWith("api/docs.html")) return false;
				return anchor !== undefined && anchor !== "" && !textOf(target).includes(` id="${decodeURIComponent(anchor)}"`);
			})
			.map((href) => `${file} leads to ${href}, which isn't there`),
	);
}
