const comments = /(?:<!--(?:(?!-->).)*-->\n\n)*/s.source;
const labelled = new RegExp(`\\*\\*([^*\n]+)\\*\\*\n\n${comments}(\`\`\`\\w+)\n((?:(?!\`\`\`).)*\`\`\`)\n`, "gs");
const several = new RegExp(`(?:^${labelled.source}\n?){2,}`, "gms");

/**
 * Shows as tabs what a reader chooses among: blocks of code that follow each other, each below its name in bold, and the
 * sections between `<!-- tabs -->` and the next heading of a higher level.
 */
export const withTabs = (text: string): string =>
	text
		.replaceAll(several, (group) => {
			const tabs = Array.from(group.matchAll(labelled), ([, label, fence, code]) => `${fence} [${label}]\n${code}`);
			return `::: code-group\n\n${tabs.join("\n\n")}\n\n:::\n\n`;
		})
		.replaceAll(/^<!-- tabs -->\n\n((?:(?!^## ).)*)/gms, (_all, sections: string, place: number) =>
			asTabs(sections, `tabs-${place}`),
		);

const raw = (html: string): string => `\`\`\`raw\n${html}\n\`\`\`\n\n`;

/** The names and the order of elements are those of VitePress's own tabs, whose script and style they share. */
function asTabs(sections: string, name: string): string {
	const blocks = sections.split(/^(?=### )/m);
	const tabs = blocks.map((block, index) => {
		const label = /^### (.+)$/m.exec(block)?.[1] ?? "";
		const isFirst = index === 0 ? " checked" : "";
		return `<input type="radio" name="${name}" id="${name}-${index}"${isFirst}><label for="${name}-${index}">${label}</label>`;
	});
	const shown = blocks.map(
		(block, index) => `${raw(`<div class="vp-block${index === 0 ? " active" : ""}">`)}${block}${raw("</div>")}`,
	);
	return `${raw(`<div class="vp-code-group section-tabs"><div class="tabs">${tabs.join("")}</div><div class="blocks">`)}${shown.join("")}${raw("</div></div>")}`;
}
