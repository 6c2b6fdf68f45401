import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const uploadRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "upload",
	component: lazyRouteComponent(() => import("./view.tsx"), "Upload"),
});
