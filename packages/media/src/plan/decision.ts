/** What was decided about one thing, and why. */
export type Decision = { readonly about: string; readonly decision: string; readonly because: string };
