import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const failuresRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "failures",
	validateSearch: textSearch("days", "reason"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Failures"),
});
