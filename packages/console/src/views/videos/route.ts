import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const videosRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "videos",
	validateSearch: textSearch("state", "external_ref", "uploader_ref", "id"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Videos"),
});
