import { readFileSync } from "node:fs";
import { slug } from "github-slugger";
import { withMermaid } from "vitepress-plugin-mermaid";

const { base, root, version, isOlder, sidebar, nav } = JSON.parse(
	readFileSync(new URL("../site.json", import.meta.url), "utf8"),
);

const icon =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3451b2"/><path d="M12 9v14l12-7z" fill="#fff"/></svg>';

/**
 * Two braces are text here, and nothing that Vue computes. A block of the language `raw` is HTML of the site's own.
 * @param {{ renderer: { rules: Record<string, (...args: any[]) => string> } }} markdown markdown-it
 */
function adapt({ renderer: { rules } }) {
	for (const name of ["text", "code_inline"]) {
		const render = rules[name];
		rules[name] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
	}
	const { fence } = rules;
	rules.fence = (tokens, index, ...rest) =>
		tokens[index].info === "raw" ? tokens[index].content : fence(tokens, index, ...rest);
}

export default withMermaid({
	title: "Reelmill",
	description: "Video hosting and processing that you install from npm and run yourself",
	lang: "en",
	base,
	head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
	srcDir: "pages",
	cleanUrls: false,
	lastUpdated: false,
	// The pages are plain Markdown: what looks like a tag is text. Its own check has looked at the links.
	markdown: {
		html: false,
		anchor: { slugify: slug },
		theme: { light: "github-light", dark: "github-dark" },
		languageAlias: { caddyfile: "nginx", haproxy: "ini" },
		config: adapt,
	},
	ignoreDeadLinks: [/^\/?reference\//, /\/reference\/index/],
	themeConfig: {
		nav,
		sidebar,
		outline: [2, 3],
		search: { provider: "local" },
		socialLinks: [{ icon: "github", link: "https://github.com/reelmill/reelmill" }],
		root,
		version,
		isOlder,
	},
});
