import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const usageRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "usage",
	validateSearch: textSearch("days"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Usage"),
});
