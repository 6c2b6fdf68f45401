import { createRootRoute } from "@tanstack/react-router";
import { Missing } from "../frame/missing.tsx";
import { Root } from "../frame/root.tsx";
import { ViewFailed } from "../frame/view-failed.tsx";

export const rootRoute = createRootRoute({
	component: Root,
	notFoundComponent: Missing,
	errorComponent: ViewFailed,
});
