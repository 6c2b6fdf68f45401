import { make } from "../base/dom.ts";
import type { UploaderFile } from "./file-list.ts";
import { type Action, createItemView, type ItemView, type Speech } from "./item-view.ts";

/** The list of files. */
export type ItemList = {
	readonly element: HTMLUListElement;
	show(items: readonly UploaderFile[], speech: Speech): void;
};

/** Makes the list. If the item that has the focus goes, the focus goes to its neighbour, or to `otherwise`. */
export function createItemList(act: (item: UploaderFile, action: Action) => void, otherwise: HTMLElement): ItemList {
	// A form that isn't complete gets the focus here.
	const element = make("ul", { part: "list", tabindex: "-1" });
	const views = new Map<string, { view: ItemView; item: UploaderFile }>();

	function remove(id: string, view: ItemView): void {
		views.delete(id);
		const root = element.getRootNode() as ShadowRoot | Document;
		const hadFocus = view.element.contains(root.activeElement);
		const neighbour = view.element.nextElementSibling ?? view.element.previousElementSibling;
		view.element.remove();
		if (hadFocus) (neighbour?.querySelector("button") ?? otherwise).focus();
	}

	return {
		element,
		show(items, speech) {
			element.setAttribute("aria-label", speech.words.list);
			const ids = new Set(items.map(({ id }) => id));
			for (const [id, { view }] of [...views]) if (!ids.has(id)) remove(id, view);
			for (const item of items) {
				const known = views.get(item.id);
				if (known) {
					known.item = item;
					known.view.show(item, speech);
					continue;
				}
				const view = createItemView((action) => {
					const entry = views.get(item.id);
					if (entry) act(entry.item, action);
				});
				views.set(item.id, { view, item });
				element.append(view.element);
				view.show(item, speech);
			}
		},
	};
}
