import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const deliveryRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "webhooks/$id",
	validateSearch: textSearch("attempt"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Delivery"),
});
