import { onContentUpdated } from "vitepress";
import { onMounted, onUnmounted } from "vue";

const key = "reelmill-code-groups";

/** @returns {string[]} the labels that the reader chose, the last one first */
function read() {
	try {
		const labels = JSON.parse(localStorage.getItem(key) ?? "[]");
		return Array.isArray(labels) ? labels : [];
	} catch {
		return [];
	}
}

/** @param {string[]} labels */
function keep(labels) {
	try {
		localStorage.setItem(key, JSON.stringify(labels));
	} catch {
		// A browser that keeps nothing still switches.
	}
}

/** @param {HTMLInputElement} input */
const labelOf = ({ labels }) => labels?.[0]?.textContent?.trim() ?? "";

/** @param {Element} group */
const inputsOf = (group) => /** @type {HTMLInputElement[]} */ ([...group.querySelectorAll(":scope > .tabs input")]);
/** @param {Element} group */
const blocksOf = (group) => [...(group.querySelector(":scope > .blocks")?.children ?? [])];

/** @param {Element} group @param {number} index */
function choose(group, index) {
	const input = inputsOf(group)[index];
	if (input === undefined) return;
	input.checked = true;
	for (const [place, block] of blocksOf(group).entries()) block.classList.toggle("active", place === index);
}

/**
 * Shows in each group of the page the first of these labels that it has, or that a label of it names beside others.
 * @param {string[]} labels
 */
function show(labels) {
	for (const group of document.querySelectorAll(".vp-code-group")) {
		const own = inputsOf(group).map(labelOf);
		const named = (/** @type {string} */ label) => own.findIndex((one) => one.split(/\s/).includes(label));
		const places = labels.map((label) => (own.includes(label) ? own.indexOf(label) : named(label)));
		choose(group, places.find((place) => place !== -1) ?? -1);
	}
}

/** Returns what the address leads to; null if it can't be decoded, such as one that was typed by hand. */
function ledTo() {
	try {
		return document.getElementById(decodeURIComponent(location.hash.slice(1)));
	} catch {
		return null;
	}
}

/** Shows the tab that holds what the address leads to. */
function reveal() {
	const target = ledTo();
	const group = target?.closest(".section-tabs");
	if (!group) return;
	choose(
		group,
		blocksOf(group).findIndex((block) => block.contains(target)),
	);
	// VitePress has scrolled by then, to a place that was hidden.
	requestAnimationFrame(() => requestAnimationFrame(() => target?.scrollIntoView()));
}

/** Switches all groups of a page together, by the reader's framework or language, and remembers it for other pages. */
export function rememberCodeGroups() {
	/** @param {Event} event */
	const remember = ({ target }) => {
		if (!(target instanceof HTMLInputElement) || !target.matches(".vp-code-group .tabs input")) return;
		const chosen = labelOf(target);
		// What the reader looks at stays where it is, however long the groups above it become.
		const before = target.labels?.[0]?.getBoundingClientRect().top ?? 0;
		const labels = [chosen, ...read().filter((label) => label !== chosen)].slice(0, 20);
		keep(labels);
		show(labels);
		window.scrollBy(0, (target.labels?.[0]?.getBoundingClientRect().top ?? 0) - before);
	};
	onMounted(() => {
		document.addEventListener("change", remember);
		window.addEventListener("hashchange", reveal);
	});
	onUnmounted(() => {
		document.removeEventListener("change", remember);
		window.removeEventListener("hashchange", reveal);
	});
	onContentUpdated(() => {
		show(read());
		reveal();
	});
}
