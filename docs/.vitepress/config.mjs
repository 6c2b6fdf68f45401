import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { slug } from "github-slugger";
import { withMermaid } from "vitepress-plugin-mermaid";

const { base, root, version, isOlder, sidebar, nav } = JSON.parse(
	readFileSync(new URL("../site.json", import.meta.url), "utf8"),
);

const icon = readFileSync(new URL("theme/icon.svg", import.meta.url), "utf8");
/** @param {string} name a component of the theme's own */
const own = (name) => fileURLToPath(new URL(`theme/${name}`, import.meta.url));

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
	// The corner of a table that has no words is the head of nothing.
	rules.th_open = (tokens, index, options, _env, self) => {
		if (tokens[index + 1].content === "") tokens[index].tag = tokens[index + 2].tag = "td";
		return self.renderToken(tokens, index, options);
	};
	rules.fence = (tokens, index, ...rest) =>
		tokens[index].info === "raw" ? tokens[index].content : fence(tokens, index, ...rest);
}

/** The button of the search is named by what it shows, `Search K`; a narrow page shows neither, and takes the title. */
const namedByContent = {
	name: "named-by-content",
	enforce: "pre",
	/** @param {string} code @param {string} id */
	transform(code, id) {
		if (!id.endsWith("VPNavBarSearchButton.vue")) return undefined;
		if (!code.includes(":aria-label=")) throw new Error("VitePress names the button of its search in another way.");
		return code.replace(":aria-label=", ":title=");
	},
};

/**
 * Returns what the search finds of a page: of the packages' reference the names and the words, without tables and code.
 * @param {string} text
 * @param {{ relativePath: string }} page
 * @param {{ render(text: string, page: object): string }} markdown
 */
function textToFind(text, page, markdown) {
	const html = markdown.render(text, page);
	if (!page.relativePath.startsWith("reference/")) return html;
	return html.replaceAll(/<table.*?<\/table>|<div class="language-.*?<\/div>/gs, "");
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
		theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
		languageAlias: { caddyfile: "nginx", haproxy: "ini" },
		config: adapt,
	},
	// The elements of the product, on the first page.
	vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("reelmill-") } } },
	vite: {
		// A group of the menu that opens is a button with a state, also without script.
		resolve: { alias: [{ find: /^.*\/VPSidebarItem\.vue$/, replacement: own("sidebar-item.vue") }] },
		plugins: [namedByContent],
	},
	themeConfig: {
		logo: { src: `data:image/svg+xml,${encodeURIComponent(icon)}`, alt: "" },
		nav,
		sidebar,
		outline: [2, 3],
		search: { provider: "local", options: { _render: textToFind } },
		socialLinks: [{ icon: "github", link: "https://github.com/reelmill/reelmill" }],
		root,
		version,
		isOlder,
	},
});
