import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const settingsRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "settings",
	component: lazyRouteComponent(() => import("./view.tsx"), "Settings"),
});
