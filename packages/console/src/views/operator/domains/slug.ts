/** What is wrong with a domain's slug; undefined if nothing is. The contract's rule, in words. */
export const slugProblem = (slug: string): string | undefined =>
	/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)
		? undefined
		: "A slug has 1 to 63 characters of a-z, 0-9 and -, and doesn't begin with -.";
