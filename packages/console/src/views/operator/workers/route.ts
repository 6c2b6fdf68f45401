import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const workersRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "workers",
	validateSearch: textSearch("state"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Workers"),
});
