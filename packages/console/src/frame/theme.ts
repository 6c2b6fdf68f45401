import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const name = "reelmill-theme";
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let theme = kept();

function kept(): Theme {
	try {
		return themes.find((each) => each === localStorage.getItem(name)) ?? "system";
	} catch {
		return "system";
	}
}

/** Puts the person's choice on the document; the system's if there is none. */
function applyTheme(): void {
	const isDark = theme === "dark" || (theme === "system" && prefersDark.matches);
	document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}

export function setTheme(next: Theme): void {
	theme = next;
	try {
		localStorage.setItem(name, next);
	} catch {
		// A browser that keeps nothing forgets the choice with the tab.
	}
	applyTheme();
	for (const listener of listeners) listener();
}

/** Follows the system while the page is open. */
export function watchTheme(): void {
	applyTheme();
	prefersDark.addEventListener("change", applyTheme);
}

const subscribe = (listener: () => void) => {
	listeners.add(listener);
	return () => listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme);
