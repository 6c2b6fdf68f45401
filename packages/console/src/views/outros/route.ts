import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const outrosRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "outros",
	component: lazyRouteComponent(() => import("./view.tsx"), "Outros"),
});
