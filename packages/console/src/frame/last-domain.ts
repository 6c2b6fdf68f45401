const name = "reelmill-domain";

/** Keeps the slug of the domain that was looked at last, for the next visit of this browser. */
export function rememberDomain(slug: string): void {
	try {
		localStorage.setItem(name, slug);
	} catch {
		// A browser that keeps nothing begins with the first domain.
	}
}

export function lastDomain(): string | null {
	try {
		return localStorage.getItem(name);
	} catch {
		return null;
	}
}
