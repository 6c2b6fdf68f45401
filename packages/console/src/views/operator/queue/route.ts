import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const queueRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "queue",
	validateSearch: textSearch("domain", "state"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Queue"),
});
