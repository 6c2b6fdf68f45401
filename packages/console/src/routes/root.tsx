import { createRootRoute } from "@tanstack/react-router";
import { Missing } from "../frame/missing.tsx";
import { PageFailed } from "../frame/page-failed.tsx";
import { Root } from "../frame/root.tsx";

export const rootRoute = createRootRoute({
	component: Root,
	notFoundComponent: Missing,
	errorComponent: PageFailed,
});
