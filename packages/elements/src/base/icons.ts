/** The lines of each icon, drawn on 24 by 24 pixels. */
const lines = {
	upload: "M12 16V4m0 0L7 9m5-5 5 5M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3",
	camera: "M3 8a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2ZM15 11l5-3v8l-5-3",
	film: "M4 5h16v14H4ZM8 5v14M16 5v14M4 9.7h4M4 14.3h4M16 9.7h4M16 14.3h4",
	pause: "M9 6v12M15 6v12",
	resume: "M8 5.5v13l10.5-6.5Z",
	retry: "M19 12a7 7 0 1 1-2.1-5M19 4v4h-4",
	forward: "M9.5 6l6 6-6 6",
	back: "M14.5 6l-6 6 6 6",
	close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
	check: "M5 12.5l4.5 4.5L19 7.5",
	warning: "M12 8v5M12 16.3v.2M12 3.5 2.8 19.5h18.4Z",
} as const;

export type IconName = keyof typeof lines;

/** Makes an icon, which a screen reader passes over. `slot` is the slot of the element that it is put into. */
export function icon(name: IconName, slot?: string): SVGSVGElement {
	const space = "http://www.w3.org/2000/svg";
	const svg = document.createElementNS(space, "svg");
	for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }))
		svg.setAttribute(key, value);
	if (slot) svg.setAttribute("slot", slot);
	svg.dataset["icon"] = name;
	const path = document.createElementNS(space, "path");
	path.setAttribute("d", lines[name]);
	svg.append(path);
	return svg;
}
