import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const deliveryRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "webhooks/$id",
	component: lazyRouteComponent(() => import("./view.tsx"), "Delivery"),
});
