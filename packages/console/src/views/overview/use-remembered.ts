import { useState } from "react";

/**
 * Something about a domain that only the person knows, such as that they have its key. This browser remembers it, where
 * it may: a storage that is full or forbidden forgets it with the page.
 */
export function useRemembered(domainId: string, what: string): readonly [is: boolean, set: (is: boolean) => void] {
	const name = `reelmill-${what}:${domainId}`;
	const [is, setIs] = useState(() => read(name));
	return [
		is,
		(next) => {
			write(name, next);
			setIs(next);
		},
	];
}

function read(name: string): boolean {
	try {
		return localStorage.getItem(name) !== null;
	} catch {
		return false;
	}
}

function write(name: string, is: boolean): void {
	try {
		if (is) localStorage.setItem(name, "yes");
		else localStorage.removeItem(name);
	} catch {
		// It is remembered for as long as the view is open.
	}
}
