import { useEffect } from "react";
import { beginWork } from "./unfinished.ts";

/** Holds what a reload would end, while `isUnfinished`: the page is not loaded again by itself, and closing it asks. */
export function useUnfinished(isUnfinished: boolean): void {
	useEffect(() => (isUnfinished ? beginWork() : undefined), [isUnfinished]);
}
