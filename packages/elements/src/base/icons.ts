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
	backward:
		"M3.5 12.5a8.5 8.5 0 1 0 2.5-6M3.5 3.2v4.3h4.3M8.6 10.6l1.6-1.1v6M14 9.5c-1.2 0-1.9 1.1-1.9 3s.7 3 1.9 3 1.9-1.1 1.9-3-.7-3-1.9-3",
	ahead:
		"M20.5 12.5a8.5 8.5 0 1 1-2.5-6M20.5 3.2v4.3h-4.3M8.6 10.6l1.6-1.1v6M14 9.5c-1.2 0-1.9 1.1-1.9 3s.7 3 1.9 3 1.9-1.1 1.9-3-.7-3-1.9-3",
	gear: "M10.2 5.1 10.4 2.5h3.2l.2 2.6 1.8.8 1.9-1.7 2.3 2.3-1.7 1.9.8 1.8 2.6.2v3.2l-2.6.2-.8 1.8 1.7 1.9-2.3 2.3-1.9-1.7-1.8.8-.2 2.6h-3.2l-.2-2.6-1.8-.8-1.9 1.7-2.3-2.3 1.7-1.9-.8-1.8-2.6-.2v-3.2l2.6-.2.8-1.8-1.7-1.9 2.3-2.3 1.9 1.7ZM12 8.9a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 0 0 0-6.2",
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
