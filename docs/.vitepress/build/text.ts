import { posix } from "node:path";
import { fileOf, linksIn, outside } from "../../../scripts/documents/links.ts";
import type { Page } from "./pages.ts";
import { withTabs } from "./tabs.ts";

/** Where files that are no pages are shown. */
const repository = "https://github.com/reelmill/reelmill/blob/main";

/**
 * Returns a page's text with its links as they are on the site: to pages by their place there, to pictures as copied,
 * to all else in the repository. Comments, which are for checks, are left out.
 */
export function textOnSite(page: Page, pages: readonly Page[], images: Map<string, string>): string {
	const places = new Map(pages.map(({ file, page: place }) => [file, place]));
	const relative = (to: string) => {
		const path = posix.relative(posix.dirname(page.page), to);
		return path.startsWith(".") ? path : `./${path}`;
	};
	const moved = (target: string, isImage: boolean): string => {
		const [path = "", anchor] = target.split("#");
		if (outside.test(target) || path === "") return target;
		const file = fileOf(page.file, path);
		const readme = posix.join(file, "README.md");
		const place = places.get(file) ?? places.get(readme);
		const hash = anchor === undefined ? "" : `#${anchor}`;
		if (place !== undefined) return `${relative(place)}${hash}`;
		if (!isImage) return `${repository}/${file}${hash}`;
		const copy = `images/${posix.basename(file)}`;
		images.set(file, copy);
		return relative(copy);
	};
	const text = withTabs(withComponents(page.text));
	// From the back, so that the places before stay.
	const links = linksIn(text).sort((a, b) => b.from - a.from);
	return withoutComments(
		links.reduce(
			(done, { from, to, target, isImage }) => done.slice(0, from) + moved(target, isImage) + done.slice(to),
			text,
		),
	);
}

/** Puts what is shown on the site alone, `<!-- on the site: <Component /> -->`, in place of its comment. */
const withComponents = (text: string): string =>
	text.replaceAll(/^<!-- on the site: (<\w+ \/>) -->$/gm, "```raw\n$1\n```");

/** Leaves out the comments that begin a line, and the empty line behind them: they are for checks. */
export function withoutComments(text: string): string {
	const [first = "", ...others] = `\n${text}`.split("\n<!--");
	return [first, ...others.map((part) => part.slice(part.indexOf("-->") + 3).replace(/^\n\n?/, "\n"))]
		.join("")
		.slice(1);
}
