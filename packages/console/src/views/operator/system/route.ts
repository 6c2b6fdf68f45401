import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const systemRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "system",
	validateSearch: textSearch("settings"),
	component: lazyRouteComponent(() => import("./view.tsx"), "System"),
});
